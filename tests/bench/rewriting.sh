#!/bin/bash
# rewriting.sh: how fast and in how much memory atomc rewrites programs of several sizes, beside objdump -d and strip.
# Requires: what `make bench-rewriting` builds; the Alpha cross compiler and binutils; qemu-alpha.
#
# Use: rewriting.sh; environment: BENCH_TEXT (KB of text, default "500 5000 50000 100000"), BENCH_RUNS (default 3), BENCH_TOOL
# (default prof). Times are user and system time, the least of the runs, those of the cross compiler for the tool's C included.
# Each program made is run plain and instrumented: both must print the same number. Writes $BUILD/bench/rewriting.txt.
set -eu
repository=$(pwd)
BUILD=${BUILD:-$repository/build}
ATOMC=${ATOMC:-$BUILD/atomc}
QEMU=${QEMU:-qemu-alpha}
tool=${BENCH_TOOL:-prof}
base=$BUILD/bench/rewriting
mkdir -p "$base"

# least COMMAND...: user and system seconds, elapsed seconds and peak KB of the quickest of the runs
least() {
    rm -f "$base/usage"
    for ((round = 0; round < ${BENCH_RUNS:-3}; round++)); do
        "$BUILD/bench/timed" "$base/usage" "$@" >/dev/null
    done
    awk '{ print $1 + $2, $3, $4 }' "$base/usage" | sort -n | head -n 1
}

{
    printf '%-10s %9s %8s %8s %8s %8s   %9s %8s   %8s\n' "text MB" "$tool s" "elapsed" "MB/s" "peak MB" "x text" "objdump s" \
        "MB/s" "strip s"
    for kilobytes in ${BENCH_TEXT:-500 5000 50000 100000}; do
        program=$base/generated
        tests/bench/generate.sh "$kilobytes" "$program"
        text=$(alpha-linux-gnu-size -A "$program" | awk '$1 == ".text" { print $2 / 1e6 }')
        atomc=$(least "$ATOMC" -t "$tool" "$program" -o "$program.atom")
        objdump=$(least alpha-linux-gnu-objdump -d "$program")
        strip=$(least alpha-linux-gnu-strip "$program" -o "$program.stripped")
        plain=$("$QEMU" "$program")
        instrumented=$(cd "$base" && "$QEMU" "$program.atom")
        if [ "$plain" != "$instrumented" ]; then
            echo "rewriting.sh: the program of $kilobytes KB prints $instrumented instead of $plain" >&2
            exit 1
        fi
        echo "$text $atomc $objdump $strip" | awk '{
            printf "%-10.2f %9.2f %8.2f %8.1f %8.0f %8.1f   %9.2f %8.1f   %8.2f\n", $1, $2, $3, $1 / $2, $4 / 1024, \
                $4 * 1.024e-3 / $1, $5, $1 / $5, $8 }'
        rm -f "$program"*
    done
} | tee "$BUILD/bench/rewriting.txt"

# The compiler of tools: 1,000 rules, 20,000 lines.
tests/bench/large_tool.sh 1000 >"$base/large.atd"
least "$ATOMC" --check --dump=plan "$base/large.atd" |
    awk -v lines="$(wc -l <"$base/large.atd")" '{ printf "a tool of %d lines is compiled in %.2f s\n", lines, $1 }' |
    tee -a "$BUILD/bench/rewriting.txt"
