#!/bin/bash
# sparse.sh: only the procedures with places are copied where they are few; such programs end as they did, with results.
# That the tools count the same is switches.sh's.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# It is chosen where little is copied, and only there.
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/signals.c -o "$scratch/signals"
for tool in read prof empty; do
    "$ATOMC" -v -t $tool "$scratch/signals" -o "$scratch/$tool" >"$scratch/$tool.log"
    if [ "$(grep -c '^    copied' "$scratch/$tool.log" || true)" = $([ $tool = read ] && echo 1 || echo 0) ]; then
        passed sparse/chosen/$tool
    else
        failed sparse/chosen/$tool "not the right way to copy" "$scratch/$tool.log"
    fi
done
# However the program ends, it does so as before, with results.
cd "$scratch"
ulimit -c 0
for way in return quick abort segv illegal term pipe alarm ignored; do
    for kind in signals read; do
        status=0
        rm -f read.out
        { "$QEMU" -0 signals "./$kind" "$way" >"$kind.printed" 2>"$kind.err" || status=$?; } 2>/dev/null
        echo "exit status $status" >>"$kind.printed"
    done
    if ! cmp -s signals.printed read.printed; then
        failed "sparse/ends/$way" "does not end like the uninstrumented program" read.printed
    elif ! grep -q '^calls' read.out 2>/dev/null; then
        failed "sparse/ends/$way" "no results"
    else
        passed "sparse/ends/$way"
    fi
done
