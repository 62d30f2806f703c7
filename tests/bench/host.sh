#!/bin/bash
# host.sh: instructions of the host that the tools of times.txt and the plugins beside them take, for short and for longer inputs, and
# for what the longer ones add: the program's work alone, without starting, translating and writing results.
# Requires: what bench.sh requires; qemu-x86_64 with -plugin, on x86-64. Environment: that of bench.sh, and
#   BENCH_SCALES="SHORT LONG"  sizes of the inputs in per cent (default: 3 10)
set -eu
repository=$(pwd)
BUILD=${BUILD:-$repository/build}
export BUILD BENCH_LIST=tests/bench/times.txt BENCH_TIERS='' BENCH_STOCK='' BENCH_PLUGINS="blocks procedures branches predictor dcache64"
base=$BUILD/bench/times
for scale in ${BENCH_SCALES:-3 10}; do
    BENCH_SCALE=$scale tests/bench/bench.sh host >"$BUILD/bench/host.log"
    mv "$base/results.tsv" "$BUILD/bench/host.$scale.tsv"
done
# shellcheck disable=SC2086
set -- ${BENCH_SCALES:-3 10}
exec awk -F'\t' -f tests/bench/host.awk "$BUILD/bench/host.$1.tsv" "$BUILD/bench/host.$2.tsv"
