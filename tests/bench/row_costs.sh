#!/bin/bash
# row_costs.sh: prints the instructions that a report executes for each row, by kind of row and format. It compares a report of
# 3,000 rows with a report of 1,000 rows.
# Requires: BUILD, ATOMC; build/bench/plugins/count.so; build/tests/emulator (make oracle).
set -eu
BUILD=$(realpath "${BUILD:-build}") ATOMC=$(realpath "${ATOMC:-$BUILD/atomc}")
QEMU=$(realpath "${QEMU:-$BUILD/tests/emulator/with-plugins}")
folder=$(mktemp -d /tmp/XXXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'int main(void) { return 0; }' >main.c
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax main.c -o plain

executed() { # ROWS FORMAT CLAUSES...: instructions of a run whose report has the rows
    "$ATOMC" -e "counter n[$1] report \"out\" for row in n $3" plain -o instrumented >log 2>&1 || { cat log >&2 && exit 1; }
    env -i ATOMC_FORMAT="$2" "$QEMU" -plugin "$BUILD/bench/plugins/count.so,out=$folder/count" ./instrumented >/dev/null
    cat count
}
each_row() { # TEXT FORMAT CLAUSES
    printf '%-38s %-5s %6d\n' "$1" "$2" $((($(executed 3000 "$2" "$3") - $(executed 1000 "$2" "$3")) / 2000))
}
each_row 'skipped by a filter on counts' text 'where row.count > 0 "N" row.number'
each_row 'skipped by a static filter' text 'where row.number < 0 "N" row.number'
for format in text csv json rows; do
    each_row 'a number' $format '"N" row.number'
    each_row 'a text' $format '"T" row.number % 2 == 0 ? "a text" : "another"'
    each_row 'three numbers' $format '"N" row.number, "Count" row.count, "Twice" 2 * row.number'
done
each_row 'three numbers, sorted' text 'sorted by row.count "N" row.number, "Count" row.count, "Twice" 2 * row.number'
