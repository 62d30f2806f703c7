#!/bin/bash
# try.sh: the main job on a real program: bzip2, built from its Debian source, counted branch by branch.
# Requires: build/atomc (make), and what scripts/setup.sh installs.
set -eu
cd "$(dirname "$0")/.."
work=build/try
mkdir -p "$work"

step() {
    printf '\n\033[1m%s\033[0m\n' "$1"
}

step "1. A real program, cross-compiled for Alpha: bzip2"
bzip2=$(tests/programs/build.sh bzip2 O2)
file -b "$bzip2" 2>/dev/null || true

step "2. ./atomc docs/examples/branch.atd docs/examples/branch.c bzip2 -o bzip2.atom"
./atomc -v docs/examples/branch.atd docs/examples/branch.c "$bzip2" -o "$work/bzip2.atom"

step "3. bzip2 < atomc's own text, plain and instrumented, under qemu-alpha"
cat ./*/*.c ./*/*.h >"$work/input"
qemu-alpha -0 bzip2 "$bzip2" -c <"$work/input" >"$work/plain.bz2"
(cd "$work" && qemu-alpha -0 bzip2 ./bzip2.atom -c <input >instrumented.bz2)
cmp "$work/plain.bz2" "$work/instrumented.bz2"
echo "same output: $(wc -c <"$work/input") bytes in, $(wc -c <"$work/plain.bz2") bytes out, both times"

step "4. branch.out: the busiest branches"
head -n 13 "$work/branch.out" | sed "s|$PWD/||" | expand -t 13,22,33,58

step "5. ./atomc run -t prof -- bzip2 -c <input: where it spends its instructions, in one step"
ATOMC_FORMAT=table ./atomc run -t prof -- "$bzip2" -c <"$work/input" 2>&1 >"$work/run.bz2" | head -n 12
cmp "$work/plain.bz2" "$work/run.bz2"
