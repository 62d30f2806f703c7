#!/bin/bash
# report.sh [--json] RESULTS: the tables of a benchmark, or all of it as JSON, from the lines that bench.sh records.
# Requires: awk; jobs.txt beside this script.
#
# A line is PROGRAM, KIND (plain, tool, peer, stock), NAME, TIER, MEASURE (instructions, seconds) and the values, with
# tabs between. Ratios are to the same program's plain values; times are medians; means are geometric.
set -eu
format=text
if [ "${1:-}" = --json ]; then
    format=json
    shift
fi
exec awk -F'\t' -v format="$format" -v jobs=<("$(dirname "$0")/list.sh" "${BENCH_LIST:-$(dirname "$0")/jobs.txt}") -f "$(dirname "$0")/report.awk" "$1"
