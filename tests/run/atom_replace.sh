#!/bin/bash
# atom_replace.sh: procedures replaced in each of ATOM's ways, with and without threads; what is printed then was worked out by
# hand, and without instrumentation too.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/replace/* "$scratch"
cd "$scratch"
alpha-linux-gnu-gcc -w -O2 -static -pthread -Wl,--no-relax replace.c -o replace
# kept: 1+2+3+4+5+6 + 7*3 + 8*2 = 58, tenfold; threads: three times the sum of i + 27, and 8 * n, 2000 times each, tenfold.
cat >without <<'END'
plain 42
half 2.5 5
kept 58 3
mixed 6.25
recursive 120
total 6 45
chosen 9
allocated
END
cat >with <<'END'
plain 400
half 6 5
kept 580 3
mixed 1006.25
recursive 120
total -6 -45
chosen 164
allocated
END
sum=$((3 * (1999 * 2000 / 2 + 27 * 2000) + 8 * 3 * 2000))
for options in "" --copy=all --copy=sparse --no-liveness --poison --stack=program --call=wrapper; do
    # shellcheck disable=SC2086
    "$ATOMC" replace replace.inst.c replace.anal.c $options -o replace.atom >log 2>&1 || failed "replace$options" "atomc failed" log
    for threads in "" 3; do
        { cat without && if [ -n "$threads" ]; then echo "threads $sum"; fi; } >expected
        # shellcheck disable=SC2086
        timeout 60 "$QEMU" replace $threads >found 2>&1
        cmp -s expected found || failed "replace-plain$threads" "the test itself is wrong" found
        { cat with && if [ -n "$threads" ]; then echo "threads ${sum}0"; fi &&
            echo "$((threads ? 6002 : 2)) calls, 1 entered, 170 noted, 1"; } >expected
        # shellcheck disable=SC2086
        timeout 60 "$QEMU" replace.atom $threads >found 2>&1 || true
        if diff expected found >difference; then
            passed "replace$options$threads"
        else
            failed "replace$options$threads" "not what the replacements compute" difference
        fi
    done
done
# With another tool: names of routines are those of each tool.
{ cat with && echo "2 calls, 1 entered, 170 noted, 1"; } >expected
if "$ATOMC" -t prof replace replace.inst.c replace.anal.c -o both.atom >log 2>&1 && "$QEMU" both.atom >found 2>&1 &&
    diff expected found >difference && grep -q '^total' prof.out; then
    passed replace/two-tools
else
    failed replace/two-tools "not what both do" difference
fi
exit "$((failures > 0))"
