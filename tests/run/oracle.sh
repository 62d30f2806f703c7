#!/bin/bash
# oracle.sh: tests of the oracle itself: a program with known counts, its two modes, and QEMU's own register log.
# Requires: build/tests/oracle.so, the cross compiler, qemu-alpha with plugins; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
oracle=$BUILD/tests/oracle.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# counts NAME MODE PROGRAM...: runs it under the oracle, leaves the lines in $scratch/NAME.
counts() {
    local name=$1 mode=$2
    shift 2
    local -a options=(-plugin "$oracle,out=$scratch/$name.all,cache=on")
    [ "$mode" = counts ] || options=(-singlestep -plugin "$oracle,out=$scratch/$name.all,cache=on,registers=on")
    env -i "$(command -v "$QEMU")" "${options[@]}" "$@" >/dev/null 2>&1 </dev/null || true
    grep '^0x' "$scratch/$name.all" >"$scratch/$name"
}

alpha-linux-gnu-gcc -nostdlib -static -Wl,--no-relax tests/oracle/selftest.S -o "$scratch/selftest"
counts registers registers "$scratch/selftest"
counts counts counts "$scratch/selftest"

# The comments of the source, without the lines that are never executed, are the expected counts in order.
sed -n 's/.*# \([0-9]\+ [-0-9]\+ [-0-9]\+ [-0-9]\+\)$/\1/p' tests/oracle/selftest.S | grep -v '^0 ' >"$scratch/expected"
cut -f3-6 "$scratch/registers" | tr '\t' ' ' >"$scratch/found"
if cmp -s "$scratch/expected" "$scratch/found"; then
    passed oracle/known-counts
else
    diff "$scratch/expected" "$scratch/found" >"$scratch/difference" || true
    failed oracle/known-counts "not the counts of the comments" "$scratch/difference"
fi
# 8 loads (one of them a prefetch, which does not count) and a store three times, 3 stores, ldl_l and stl_c.
printf '# references 32\n# misses 2\n' >"$scratch/expected"
grep -E 'references|misses' "$scratch/registers.all" >"$scratch/found"
if cmp -s "$scratch/expected" "$scratch/found"; then
    passed oracle/known-references
else
    failed oracle/known-references "not 32 references to 2 lines" "$scratch/found"
fi

# The branch to its own successor is the only thing that the quick mode cannot tell.
cut -f1-5 "$scratch/counts" >"$scratch/quick"
awk -F'\t' 'BEGIN { OFS = FS } $2 == "e7e00000" { $4 = 0; $5 = 1 } { print $1, $2, $3, $4, $5 }' "$scratch/registers" \
    >"$scratch/found"
if diff "$scratch/quick" "$scratch/found" >"$scratch/difference"; then
    passed oracle/modes-agree
else
    failed oracle/modes-agree "inline counts and registers differ" "$scratch/difference"
fi

# from_log NAME PROGRAM...: the same lines from QEMU's log of all registers.
from_log() {
    local name=$1
    shift
    mkfifo "$scratch/log"
    env -i "$(command -v "$QEMU")" -singlestep -d cpu,fpu,nochain -D "$scratch/log" "$@" >/dev/null 2>&1 </dev/null &
    awk -f tests/oracle/log_counts.awk "$scratch/$name.all" "$scratch/log" >"$scratch/$name.log"
    wait $! || true
    rm "$scratch/log"
    # A branch to its own successor cannot be told here either.
    if diff <(cut -f1-6 "$scratch/$name" | grep -v "	e7e00000	") <(grep -v "	e7e00000	" "$scratch/$name.log") >"$scratch/difference"; then
        passed "oracle/register-log-$name"
    else
        failed "oracle/register-log-$name" "QEMU's log of registers says otherwise" "$scratch/difference"
    fi
}
from_log registers "$scratch/selftest"

# A real program, with a C library in it: some 70,000 instructions.
if program=$(tests/programs/build.sh mawk O2); then
    counts mawk registers "$program" 'BEGIN { printf "%s %5.2f\n", substr("words", 2), 355 / 113 }'
    from_log mawk "$program" 'BEGIN { printf "%s %5.2f\n", substr("words", 2), 355 / 113 }'
else
    skipped oracle/register-log-mawk "mawk was not built"
fi
[ "$failures" = 0 ]
