#!/bin/bash
# large_tool.sh: a tool of 1,000 rules and 20,000 lines compiles in less than a second of CPU time.
# Requires: atomc (ATOMC, default build/atomc); bench/large_tool.sh; run from the repository's root.
set -u
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bench/large_tool.sh 1000 >"$folder/large.atd"
lines=$(wc -l <"$folder/large.atd")

TIMEFORMAT='%U %S'
{ time "$ATOMC" --check --dump=plan "$folder/large.atd" >"$folder/plan" 2>"$folder/errors"; } 2>"$folder/time"
if [ "$lines" -lt 20000 ]; then
    failed large_tool/size "$lines lines only"
elif ! [ "$(grep -c '^action ' "$folder/plan")" = 3000 ] || ! [ "$(grep -c '^report ' "$folder/plan")" = 1000 ]; then
    failed large_tool/plan "it does not hold 3000 actions and 1000 reports" "$folder/errors"
else
    passed large_tool/plan
fi
# User and system time: other processes do not count.
if awk '{ exit !($1 + $2 < 1) }' "$folder/time"; then
    passed large_tool/time
else
    failed large_tool/time "$(cat "$folder/time") seconds of user and system time"
fi
[ "$failures" = 0 ]
