#!/bin/bash
# forks.sh: fork in a program whose other threads are in analysis routines all the time: no child waits for them.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
alpha-linux-gnu-gcc -O2 -pthread -static -Wl,--no-relax tests/data/forks.c -o "$scratch/plain"
"$ATOMC" tests/forks/forks.atd "$scratch/plain" -o "$scratch/instrumented" >"$scratch/log" 2>&1 || true
for run in 1 2 3; do
    if [ "$(timeout -s KILL 60 "$QEMU" "$scratch/instrumented" 2>&1)" = 1000 ]; then
        passed "forks/$run"
    else
        failed "forks/$run" "not what the uninstrumented program prints, or a child that hangs" "$scratch/log"
    fi
done
