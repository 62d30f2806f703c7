# follow: atomc run --follow: each Alpha program that the program executes is instrumented, in whatever way it is
# executed, and all behave as if the kernel executed Alpha programs.
alpha looks "$tests/data/looks.c"
shared dynamic "$tests/data/looks.c"
gcc -O1 -w "$tests/data/starts.c" -o starts -pthread
cat >work.atd <<'END'
counter entered
for p in procs where p.name == "work" {
    before p    entered++
}
report "work.out" "entered" entered
END
page=$(cat work.atd)
follow() { timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run --follow "$@"; }
# The number of reports, each with 100 entries, of the named procedure.
reports() { # FILE COUNT NAME...
    local file=$1 count=$2 name
    shift 2
    [ "$(grep -c '^atomc: work.out of process [0-9]*, ' "$file")" = "$count" ] && [ "$(grep -c -x 100 "$file")" = "$count" ] &&
        for name in "$@"; do grep -q "^atomc: work.out of process [0-9]*, $name:\$" "$file" || return 1; done
}

if ! follow -e "$page" true 2>log && grep -q 'cannot trace' log; then
    skipped all "$(tail -n 1 log)"
    return 0
fi

# A shell script: relative paths, PATH, another folder, nothing in the environment, standard error elsewhere, exec.
cat >script <<'END'
#!/bin/sh
echo "$0" "$@"
./looks exit 3; echo $?
PATH=$PWD:$PATH looks raise 6; echo $?
(cd / && exec env -i "$OLDPWD/dynamic" exit 4 2>/dev/null); echo $?
echo words | ./looks see | tail -n 1
exec ./looks become ./looks exit 9
END
chmod +x script
export OLDPWD=$PWD
status=0
follow -e "$page" -- ./script a 'b c' >out 2>log || status=$?
printf '%s\n' './script a b c' 3 134 4 words >expected
check script "diff expected out && [ $status = 9 ] && reports log 6 ./looks $PWD/looks $PWD/dynamic" log

# A makefile, several programs in parallel; written to a file.
printf 'all: 1 2 3 4 5 6\n1 2 3 4 5 6:\n\t@./looks exit 0 && echo done\n' >Makefile
follow -o found -e "$page" make -s -j3 >out 2>log
check make "[ \$(grep -c done out) = 6 ] && reports found 6 ./looks && [ ! -s log ]" found

# Scripts for an Alpha program, one for another script.
printf '#!%s see  of script \nwords\n' "$PWD/looks" >interpreted
printf '#!./interpreted\n' >twice
chmod +x interpreted twice
printf "argument '%s'\n" "$PWD/looks" "see  of script" ./interpreted ./twice x >expected
sed -i "s/see  of script/see/" interpreted expected
follow -e "$page" -- ./twice x </dev/null 2>log | grep ^argument >out
check interpreter "diff expected out && reports log 1 $PWD/looks" log

# All ways to execute a program of the host, and files that cannot be executed.
follow -e "$page" -- ./starts "$PWD/looks" >out 2>log && status=0 || status=$?
printf '%s\n' 'posix_spawn 200' 'vfork 100' 'execveat 300' 'nothing given 0' 'nowhere 6200' >expected
check ways "diff expected out && [ $status = 3 ] && reports log 5 $PWD/looks" log
follow -e "$page" ./nowhere 2>log </dev/null && status=0 || status=$?
check not-found "[ $status = 127 ]" log
follow -e 'counter n for p in prox { before p n++ }' touch made 2>log && status=0 || status=$?
check checked-first "[ $status = 125 ] && grep -q '^-e:1:20: error' log && [ ! -e made ]" log
# The page is standard input; the program's standard input is a terminal or closed.
follow - sh -c './looks exit 0; ./dynamic exit 0' <work.atd 2>log
check page "reports log 2 ./looks ./dynamic" log
# Programs that cannot be instrumented run unchanged.
instrument instrumented -e "$page" looks
follow -e "$page" sh -c './instrumented exit 5; echo $?' >out 2>log
check as-it-is "[ \$(cat out) = 5 ] && grep -q 'warning: ./instrumented: runs without being instrumented' log" log

# Signals: to one process, to the group; stopping and continuing.
: >out
"$ATOMC" run --follow -e "$page" ./looks wait >out 2>log &
process=$!
while :; do grep -q ready out && break; sleep 0.1; done
kill -STOP $process
while :; do grep -q '^State:.[Tt]' /proc/$process/status && break; sleep 0.1; done
state=$(sed -n 's/^State:.\(.\).*/\1/p' /proc/$process/status)
kill -INT $process
kill -CONT $process
sleep 0.2
kill -TERM $process
status=0
wait $process || status=$?
printf 'ready\nTERM 1 INT 1\n' >expected
check signals "diff expected out && [ $status = 3 ] && [[ '$state' = [Tt] ]] && reports log 1 ./looks" log
# Nothing is left.
while :; do
    [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'atomc-follow.*' -newer starts 2>/dev/null)" ] && break; sleep 0.1
done
check left "! find '${TMPDIR:-/tmp}' -maxdepth 1 -name 'atomc-follow.*' -newer starts 2>/dev/null | grep ."
