#!/bin/bash
# signals.sh: however the program ends, it ends the same way instrumented, and the results are there.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/signals.c -o "$scratch/plain"
"$ATOMC" docs/examples/branch.atd "$scratch/plain" -o "$scratch/branch" >/dev/null
"$ATOMC" -t cache "$scratch/plain" -o "$scratch/cache" >/dev/null
cd "$scratch"
ulimit -c 0

# end_of EXECUTABLE WAY: what it prints and its exit status. bash's own word on signals goes elsewhere.
end_of() {
    local status=0
    { "$QEMU" -0 signals "$1" "$2" >"$1.printed" 2>"$1.err" || status=$?; } 2>/dev/null
    echo "exit status $status" >>"$1.printed"
}

for way in return quick abort segv illegal term pipe alarm ignored changing; do
    for tool in branch cache; do
        rm -f btaken.out cache.out
        end_of ./plain "$way"
        end_of "./$tool" "$way"
        if ! cmp -s plain.printed "$tool.printed" || ! cmp -s plain.err "$tool.err"; then
            failed "signals/$way/$tool" "does not end like the uninstrumented program" "$tool.printed"
        elif [ "$tool" = branch ] && ! grep -q '^0x' btaken.out 2>/dev/null; then
            failed "signals/$way/$tool" "no results"
        elif [ "$tool" = cache ] && ! grep -q '^L1' cache.out 2>/dev/null; then
            failed "signals/$way/$tool" "no results"
        else
            passed "signals/$way/$tool"
        fi
    done
done

# Killed at any moment, most of them inside the analysis routine.
malformed=0
for run in 1 2 3 4 5 6 7 8 9 10; do
    rm -f cache.out
    : >spinning
    "$QEMU" -0 signals ./cache spin >spinning 2>/dev/null &
    process=$!
    for ((i = 0; i < 600; i++)); do # it prints a line first
        [ ! -s spinning ] || break
        sleep 0.05
    done
    sleep "0.0$((run - 1))"
    kill -TERM $process
    { wait $process || true; } 2>/dev/null
    [ "$(wc -l <cache.out 2>/dev/null)" = 2 ] || malformed=$((malformed + 1))
done
if [ $malformed = 0 ]; then
    passed signals/killed-at-random
else
    failed signals/killed-at-random "$malformed of 10 runs left no complete results"
fi

# When the program has ended, its handlers come no more: what they would count, while results are made, nobody has asked for.
cat >ticking.c <<'END_C'
#include <stdio.h>
static volatile long calls;
void Count(void) {
    calls++;
}
void Print(void) {
    long before = calls;
    for (volatile int i = 0; i < 3000000; i++)
        ;
    printf("%s\n", calls == before ? "the same" : "more");
}
END_C
cat >ticking.atd <<'END_ATD'
tool ticking "what is counted after the end"
analysis "ticking.c"
for b in blocks { before b  call Count() }
after program call Print()
END_ATD
for flags in --call=wrapper --call=inline; do
    "$ATOMC" $flags ticking.atd plain -o ticking >/dev/null
    end_of ./ticking ticking
    if grep -qx 'the same' ticking.printed && grep -qx 'exit status 3' ticking.printed; then
        passed "signals/ticking$flags"
    else
        failed "signals/ticking$flags" "handlers ran behind the end" ticking.printed
    fi
done
