# mutations_list: each line of tests/mutations/list changes its file, and names a job or a program that exists. (Four lines had
# outlived the code that they changed.)
# size: quick
grep -v -e '^#' -e '^$' "$tests/mutations/list" >list
stale() {
    while read -r kind file job script; do
        if [ ! -e "$top/$file" ]; then
            echo "$kind: there is no $file"
        elif sed "$script" "$top/$file" | cmp -s - "$top/$file"; then
            echo "$kind: $file has nothing that $script changes"
        fi
        case $job in unit/* | *-O[0-9]) continue ;; esac
        [ -e "$tests/run/$job.sh" ] || echo "$kind: there is no job $job"
    done
}
check all "[ -s list ] && ! stale <list | grep ."
check finds "echo 'old driver/main.c cli s/no such text//' | stale | grep -q nothing"
