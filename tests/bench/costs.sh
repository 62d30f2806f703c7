#!/bin/bash
# costs.sh: what each tool of stock.txt costs on small.c, by instructions executed: at the start and end of a run, and for each
# hundred instructions of the program. tests/run/costs.sh compares it with the columns of costs.txt of the cross compiler's version.
# Requires: BUILD, ATOMC; build/bench/plugins/count.so; build/tests/emulator (make oracle).
set -eu
QEMU=$(realpath "${QEMU:-$BUILD/tests/emulator/with-plugins}")
list=$(tests/bench/list.sh tests/bench/stock.txt)
folder=$(mktemp -d /tmp/XXXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
alpha-linux-gnu-gcc -O2 -g -static -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns -Wl,--no-relax tests/bench/small.c -o "$folder/plain"
cd "$folder"

executed() { # PROGRAM TIMES
    env -i "$QEMU" -0 small -plugin "$BUILD/bench/plugins/count.so,out=$folder/count" "./$1" "$2" >/dev/null 2>&1
    cat count
}
once=$(executed plain 1) more=$(executed plain 4)
printf '%-14s %12s %14s\n' tool "start, end" "for each 100"
while read -r name arguments _; do
    case $name in '' | '#'*) continue ;; esac
    # shellcheck disable=SC2086
    "$ATOMC" ${arguments//\~/ } plain -o instrumented 2>log || { cat log >&2 && exit 1; }
    awk -v name="$name" -v plain_once="$once" -v plain_more="$more" -v once="$(executed instrumented 1)" \
        -v more="$(executed instrumented 4)" 'BEGIN {
            ratio = (more - once) / (plain_more - plain_once)
            printf "%-14s %12.0f %14.1f\n", name, once - ratio * plain_once, 100 * ratio
        }'
done <<<"$list"
