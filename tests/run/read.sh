#!/bin/bash
# read.sh: the read tool against QEMU's own log of system calls: calls, failures and bytes of read(2).
# Requires: atomc (ATOMC), qemu-alpha, the test programs; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compare NAME PROGRAM ARGUMENT...: standard input is $scratch/input.
compare() {
    local name=$1 program=$2
    shift 2
    "$ATOMC" -t read "$program" -o "$scratch/program" >"$scratch/log" 2>&1 || {
        failed "read/$name" "atomc failed" "$scratch/log"
        return
    }
    "$QEMU" -strace "$program" "$@" <"$scratch/input" 2>"$scratch/strace" >/dev/null || true
    awk '/^[0-9]* read\(/ { calls++; n = $0; sub(/.* = /, "", n); if (n ~ /^-1/) failed++; else bytes += n }
        END { printf "calls %d\nfailed %d\nbytes %d\n", calls, failed, bytes }' "$scratch/strace" >"$scratch/expected"
    (cd "$scratch" && "$QEMU" ./program "$@" <input >/dev/null 2>&1) || true
    if cmp -s "$scratch/expected" "$scratch/read.out" && [ "$(sed -n 's/^calls //p' "$scratch/read.out")" -gt 0 ]; then
        passed "read/$name"
    else
        diff "$scratch/expected" "$scratch/read.out" >"$scratch/difference" 2>&1 || true
        failed "read/$name" "not the calls of QEMU's log (<)" "$scratch/difference"
    fi
}

cat >"$scratch/reader.c" <<'EOF'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char bytes[100];
    read(0, bytes, 7);
    read(99, bytes, 7);
    while (getchar() != EOF)
        ;
    return read(0, bytes, sizeof bytes) != 0;
}
EOF
head -c 100000 tests/data/alpha-isa.csv >"$scratch/input"
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax "$scratch/reader.c" -o "$scratch/reader"
compare reader "$scratch/reader"
if program=$(tests/programs/build.sh bzip2 O2 2>/dev/null); then
    compare bzip2 "$program" -c
else
    skipped read/bzip2 "its source could not be fetched"
fi
