# run: atomc run: the program behaves as without it; instrumented programs are cached and found again, exactly by their
# contents, and regardless of changes of the folder in which the program runs.
alpha static "$tests/data/looks.c" -g
# tests of files, the cache and the end use this program, because it is instrumented in a tenth of the time
shared looks "$tests/data/looks.c" -g
cat >work.atd <<'END'
# work: how often work() is entered.
tool work "entries of work"
counter entered
for p in procs where p.name == "work" {
    before p    entered++
}
report "work.out" "entered" entered
END
export ATOMC_CACHE=$PWD/cache
kept() { find "${1:-cache}" -type f ! -name '*.code*' 2>/dev/null | wc -l; } # programs
run() { timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run "$@"; }

# ---- the program ------------------------------------------------------------------------------------------------------

# The program's environment, output and input, and its results, which are separate from the output.
printf 'atomc: work.out:\nentered\n100\n' >results
for program in static looks; do
    timeout -s KILL "$RUN_TIMEOUT" "$QEMU" -L /usr/alpha-linux-gnu ./$program see "a  b" '' -t --follow \
        <work.atd >plain.out 2>plain.err
    run work.atd -- ./$program see "a  b" '' -t --follow <work.atd >run.out 2>run.err
    same $program/sees plain.out run.out
    check $program/errors "cat plain.err results | diff - run.err"
    run work.atd ./$program see "a  b" '' -t --follow <work.atd >again.out 2>again.err
    check $program/kept "diff plain.out again.out && diff run.err again.err &&
        [ \$(kept) = $([ $program = static ] && echo 1 || echo 2) ]"
done
# By PATH, with the name by which it was called.
mkdir folder
cp looks folder/looking
(cd folder && PATH=$PWD:$PATH && cd .. && run work.atd looking exit 7 >log 2>&1) || status=$?
check path "[ $status = 7 ] && diff results log"

ends() { # WAY NUMBER: as bash reports it
    local status=0
    (exec 2>/dev/null && run work.atd -o log ./looks "$@") || status=$?
    echo $status
}
check status '[ $(ends exit 0) = 0 ] && [ $(ends exit 3) = 3 ] && [ $(ends exit 255) = 255 ] && diff results log'
rm log
ends raise 9 >status
check killed '[ $(cat status) = 137 ] && [ ! -s log ]'
check signal '[ $(ends raise 6) = 134 ] && [ $(ends raise 15) = 143 ] && diff results log'

# A signal is delivered one time, to the program, which runs in atomc's process.
"$ATOMC" run work.atd ./looks wait >waits 2>log &
process=$!
while :; do grep -q ready waits && break; sleep 0.1; done
kill -INT $process
sleep 0.2
kill -TERM $process
status=0
wait $process || status=$?
printf 'ready\nTERM 1 INT 1\n' >expected
check forwards "diff expected waits && diff results log && [ $status = 3 ]"

# After a fork, each process's results have the number of the process.
run work.atd ./looks fork 2>log || true
check fork "[ \$(grep -c '^atomc: work.out' log) = 2 ] && [ \$(grep -c 'atomc: work.out.1 of process [0-9]*:' log) = 1 ] &&
    [ \"\$(grep -v atomc log | sort -n | tr '\\n' ' ')\" = 'entered entered 100 200 ' ]" log
# A program that it executes is the same as without atomc.
printf 'atomc: work.out:\nentered\n100\n' >results
run work.atd ./looks become /bin/echo here >out 2>log || true
check become "[ \$(cat out) = here ] && diff results log"

# ---- where results go -------------------------------------------------------------------------------------------------

run -o found work.atd ./looks exit 0 >log 2>&1
check output "diff results found && [ ! -s log ]"
# Complete or not at all: until the program ends, or if it is killed, the old file is unchanged.
echo before >found
cp found before
ln -s found link
: >waits # the background process empties it only when it has begun
"$ATOMC" run -o link work.atd ./looks wait >waits 2>log &
process=$!
while :; do grep -q ready waits && break; sleep 0.1; done
check whole/running "diff before found"
kill -INT $process
kill -TERM $process
wait $process || true
check whole/ended "diff results found && [ -L link ]"
cp before found
(exec 2>/dev/null && run work.atd -o found ./looks raise 9) || true
check whole/killed "diff before found"
run -o found work.atd ./looks become /bin/echo here >out 2>log || true
check whole/become "[ \$(cat out) = here ] && diff results found"
run -o found work.atd ./looks fork 2>log || true
check whole/fork "[ \$(grep -c '^atomc: work.out' found) = 2 ]" found
cp before found
status=0
(cd / && "$ATOMC" run -t no_such_tool -o "$scratch/found" "$scratch/looks" exit 0 >"$scratch/log" 2>&1) || status=$?
check whole/refused "[ $status = 125 ] && diff before found"
check whole/left "[ -z \"\$(ls | grep '^found.')\" ]"
run --files work.atd ./looks exit 0 >log 2>&1
check files "printf 'entered\n100\n' | diff - work.out && ! grep -q entered log"
rm -f work.out
ATOMC_OUT=place run work.atd ./looks exit 0 >log 2>&1
check place "printf 'entered\n100\n' | diff - place/work.out && ! grep -q entered log"
ATOMC_FORMAT=csv run work.atd ./looks exit 0 >log 2>&1
check format "printf 'entered\n100\n' | diff - log"
# A report to standard output is not part of the program's output; nor is output of C.
cat >says.c <<'END'
#include <stdio.h>
void Say(void) { puts("from C"); }
END
run -e 'tool says "says" analysis "says.c" counter n before program n++ report "-" "n" n after program call Say()' \
    ./looks see <work.atd >out 2>log
check stdout "! grep -q -e 'from C' -e '^1$' out && [ \"\$(tail -n 3 log)\" = \$'from C\nn\n1' ]" log
check no-file "! ls *.out | grep -v -e ^run -e ^again -e ^plain"
run work.atd ./looks exit 5 2>&- >log && status=0 || status=$?
check no-stderr "[ $status = 5 ] && [ ! -s log ]"
# A page from standard input.
grep -v '^tool' work.atd | run - ./looks exit 0 2>log
check page "diff results log"

# ---- what is kept -----------------------------------------------------------------------------------------------------

# All its inputs distinguish it in the cache, and nothing else does.
mkdir key
cd key
cp ../looks ../work.atd .
sed 's/work\.out/other.out/' work.atd >body
echo 'include "part.atd"' >include.atd
cp work.atd part.atd
cat >code.atd <<'END'
tool code "C"
analysis "code.c"
after program call Say()
END
cat >code.c <<'END'
#include <stdio.h>
#include "said.h"
void Say(void) { puts(SAID); }
END
echo '#define SAID "one"' >said.h
export ATOMC_CACHE=$PWD/cache
made() { # WORD...: prints the shown output, and the number of cached programs
    run "$@" 2>&1 | tail -n 1
    kept
}
{
    made work.atd ./looks exit 0
    made work.atd ./looks exit 1
    made -o /dev/stderr work.atd ./looks exit 0
    touch work.atd looks
    made work.atd ./looks exit 0
    made work.atd -D work.x=1 ./looks | tail -n 1
    made --without=liveness work.atd ./looks
    echo "# end" >>work.atd
    made work.atd ./looks
    made include.atd ./looks
    sed -i 's/entered" entered/entered" entered + 1/' part.atd
    made include.atd ./looks
    made code.atd ./looks
    made code.atd ./looks
    echo '#define SAID "two"' >said.h
    made code.atd ./looks
    mkdir wide
    (cd wide && made ../code.atd ../looks)
    printf 'x' >>looks
    made include.atd ./looks
} >found
printf '%s\n' 100 1 100 1 100 1 100 1 1 100 2 100 3 100 4 101 5 one 6 one 6 two 7 two 0 101 9 >expected
check tells-apart "diff expected found"
cd ..
export ATOMC_CACHE=$PWD/cache

# Damage is detected, at any position.
entry=$(find cache -type f | head -n 1)
rm -rf cache
run work.atd ./looks exit 0 2>log
entry=$(find cache -type f)
size=$(stat -c %s "$entry")
inode=$(stat -c %i "$entry")
bad=
for way in $(seq 0 $((size / $(pick 2 40))) $((size - 1))) $((size - 1)) cut empty appended; do
    cp -p "$entry" saved
    case $way in
    cut) truncate -s $((size / 2)) "$entry" ;;
    empty) : >"$entry" ;;
    appended) echo >>"$entry" ;;
    *) printf "\\x$(printf %02x $((0x$(od -An -tx1 -j "$way" -N 1 saved | tr -d ' ') ^ 16)))" |
        dd of="$entry" bs=1 seek="$way" conv=notrunc status=none ;;
    esac
    run work.atd ./looks exit 0 2>log || true
    diff results log >/dev/null && [ "$(stat -c %s "$entry")" = "$size" ] && cmp -s "$entry" saved || bad+=" $way"
done
check damaged "[ -z '$bad' ]"
cp "$entry" "${entry%?????}fffff" # another's file
check other-key "run work.atd --strict ./looks exit 0 2>log && diff results log"

# The limit: the most recently used programs are kept. A run that cannot keep it runs.
rm -rf cache
for tool in 1 2 3; do
    run -e "counter n before program n++ report \"-\" \"$tool\" n" ./looks 2>log
done
size=$(du -b cache/* | sort -n | tail -n 1 | cut -f 1)
oldest=$(ls -tr cache | head -n 1) second=$(ls -tr cache | sed -n 2p)
run -e 'counter n before program n++ report "-" "1" n' ./looks 2>log # used again
export ATOMC_CACHE_LIMIT=$((3 * size + 1000))
run -e 'counter n before program n++ report "-" "4" n' ./looks 2>log
check limit "[ \$(kept) = 3 ] && [ -e cache/$oldest ] && [ ! -e cache/$second ]"
ATOMC_CACHE_LIMIT=1K run work.atd ./looks exit 0 2>log
check too-large "grep -q 'larger than the limit' log && tail -n 3 log | diff results - && [ \$(kept) = 3 ]" log
unset ATOMC_CACHE_LIMIT

# A folder that cannot be used costs a warning; none, nothing.
: >file
for folder in "$PWD/file" "$PWD/file/below" /proc/none relative; do
    ATOMC_CACHE=$folder run work.atd ./looks exit 4 2>log && status=0 || status=$?
    check "unusable/${folder##*/}" "[ $status = 4 ] && grep -q '^atomc: warning: .*cannot be used as a cache' log &&
        tail -n 3 log | diff results -" log
done
mkdir open
chmod 777 open
ATOMC_CACHE=$PWD/open run work.atd ./looks exit 0 2>log
check unusable/others "grep -q 'other users may write' log && [ -z \"\$(ls open)\" ]" log
ATOMC_CACHE= run work.atd ./looks exit 0 2>log
check none "diff results log"
(unset ATOMC_CACHE && XDG_CACHE_HOME=$PWD/xdg run work.atd ./looks exit 0 2>log)
check xdg "[ \$(kept xdg/atomc) = 1 ]"
(unset ATOMC_CACHE XDG_CACHE_HOME && HOME=$PWD/home run work.atd ./looks exit 0 2>log)
check home "[ \$(kept home/.cache/atomc) = 1 ] && [ \$(stat -c %a home/.cache) = 700 ]"

# Several runs in parallel, with one key and with others, some of them killed: all finished runs are correct, and so are
# their cached files.
rm -rf cache
for i in $(seq "$(pick 4 16)"); do
    (run -e "counter n before program n++ report \"-\" \"n\" n" ./looks; run work.atd ./looks) >out.$i 2>&1 &
    pids[i]=$!
    [ $((i % 3)) != 0 ] ||
        { (exec timeout -s KILL 0.$i "$ATOMC" run --without=all work.atd ./looks >/dev/null 2>&1) 2>/dev/null || true; }
done
wait "${pids[@]}"
check at-once "! cat out.* | grep -v -e '^n\$' -e '^1\$' -e '^atomc: work.out:' -e '^entered\$' -e '^100\$'" out.1
run work.atd ./looks 2>log
check whole "diff results log && [ \$(ls cache | grep -v '^new' | wc -l) -le 3 ]"

# A program that is run under an emulator is instrumented for it, unless an option requests otherwise: then it begins at
# another address.
cat >looking <<'END'
#!/bin/sh
while [ "$1" != -0 ]; do shift; done
cat "$3" >seen
END
chmod +x looking
for way in "" --for=qemu --for=hardware; do
    ATOMC_QEMU=$PWD/looking "$ATOMC" run $way -t prof -- ./looks >log 2>&1 &&
        alpha-linux-gnu-readelf -h seen | grep Entry >"emulated$way"
done
check emulated "cmp emulated emulated--for=qemu && ! cmp -s emulated emulated--for=hardware" log
