# stdtools: each stock tool prints the sample at its top; --help and --list say all; docs/tools.md is what scripts/tools.sh makes of it.
# The top says how the tool is used and what the sample was made from:
#   # Usage:   atomc -t NAME PROGRAM -o PROGRAM.atom; run PROGRAM.atom as PROGRAM; read FILE
#   # Sample:  docs/examples/PROGRAM.c [<INPUT]
# The sample's lines begin with `#   ` and a word, blanks stand for any white space, and `...` as tests/lib/matches.awk says. The example
# is compiled as README.md says; its folder is called /home/me in the sample. Each tool is a page, its C two at most.
check page "(cd '$top' && scripts/tools.sh | diff docs/tools.md -)"
folder=$(mktemp -d /tmp/XXXXXXXXXX)/run # of this length: the C library works on the path, and that is counted
trap 'rm -rf "${folder%/run}"' EXIT
mkdir "$folder"
cp "$top"/docs/examples/*.c "$folder"
within() { # WORD...: where the examples are
    (cd "$folder" && "$@")
}
squeezed() {
    sed 's/[[:space:]]\{1,\}/ /g; s/^ //; s/ $//; /^$/d'
}

"$ATOMC" --list >list
for tool in "$top"/stdtools/*.atd; do
    name=$(basename "$tool" .atd)
    result=$(sed -n 's/^# Usage:.*; read \([^ ]*\)$/\1/p' "$tool")
    read -r program input < <(sed -n 's/^# Sample: *//p' "$tool")
    program=$(basename "$program" .c) input=${input:+$top/${input#<}} input=${input:-/dev/null}
    if [ ! -e "$folder/$program" ]; then
        within alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$program.c" -o "$program"
        within env -i "$QEMU" -0 "$program" "./$program" <"$input" >"plain-$program"
    fi
    find "$folder" -name '*.*' ! -name '*.c' -delete # results of the tool before
    within "$ATOMC" -t "$name" "$program" -o "$program.atom" >log 2>&1 || true
    within env -i "$QEMU" -0 "$program" "./$program.atom" <"$input" >found 2>>log || true
    check "$name/same" "diff plain-$program found" log
    sed -n 's/^#   \([^ ].*\)/\1/p' "$tool" | squeezed >sample
    if [ -e "${tool%.atd}_read.c" ]; then # the program that prints the result
        gcc -O2 "${tool%.atd}_read.c" -o reader && ./reader <"$folder/$result" >read 2>log && mv read "$folder/$result"
    fi
    sed "s|$folder/|/home/me/|" "$folder/${result:-nothing}" 2>log | squeezed >found || true
    [ -n "$result" ] || ls "$folder"/*.out >found 2>log || true # of no name
    check "$name/sample" "awk -f '$tests/lib/matches.awk' sample found" found
    check "$name/size" "[ \$(wc -l <'$tool') -le 66 ] && [ \$(cat '${tool%.atd}.c' 2>>log | wc -l) -le 170 ]"

    # --help says the whole heading, and each parameter with its help; --list the purpose.
    {
        sed -n '/^#/!q; s/^# \{0,1\}//p' "$tool" | sed '1,/^$/d'
        sed -n "s/^tool $name \"\(.*\)\"$/$name: \1\n$name: \1/p" "$tool"
        # shellcheck disable=SC2046 # names have no blanks
        sed -n 's/^param \([a-z]*\) \([a-z_0-9]*\) = .*/\2 \1/p' "$tool" $(sed -n "s|^include \"\(.*\)\"$|$top/stdtools/\1|p" "$tool")
    } | squeezed | sort >expected
    {
        "$ATOMC" --help "$name" | squeezed | sed 's/^\([a-z_0-9]*\) \(string\|int\|boolean\) =.*/\1 \2/; /^parameters, set by/d'
        squeezed <list | sed -n "s/^$name /$name: /p"
    } | sort >found
    same "$name/help" expected found
done
