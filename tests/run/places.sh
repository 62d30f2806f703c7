#!/bin/bash
# places.sh: edges, loops, call sites and entries against what QEMU sees of the uninstrumented program.
# Requires: atomc (ATOMC), build/tests/oracle.so and transitions.so, the test programs, qemu-alpha with plugins; run
# from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage

# What places.atd has written, in the form of expected.awk.
found() { # FOLDER
    awk -F'\t' 'BEGIN { OFS = FS } FNR == 1 { kind = FILENAME; sub(/.*\//, "", kind); sub(/s?\.out$/, "", kind)
            if (kind == "entrie") kind = "entry"; next }
        kind == "loop" && ($2 != $5 || $4 != $6) { print "on and before or after differ", $0 }
        kind == "loop" { print kind, $1, $2, $3, $4; next }
        { print kind, $0 }' "$1"/edges.out "$1"/loops.out "$1"/callsites.out "$1"/entries.out | LC_ALL=C sort
}

# compare NAME PROGRAM INPUTS STANDARD_INPUT ARGUMENTS...: all counts of one run
compare() {
    local name=$1 program=$2 inputs=$3 standard_input=$4
    shift 4
    run_program "$scratch/plain" program "$program" "$inputs" "$standard_input" \
        -plugin "$BUILD/tests/transitions.so,out=$scratch/transitions" \
        -plugin "$BUILD/tests/oracle.so,out=$scratch/counts" -- "$@"
    if ! "$ATOMC" --dump=cfg tests/places/places.atd "$program" -o "$scratch/instrumented" >"$scratch/cfg" 2>"$scratch/log"; then
        failed "places/$name" "atomc failed" "$scratch/log"
        return
    fi
    "$ATOMC" tests/places/places.atd "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1
    run_program "$scratch/atom" program "$scratch/instrumented" "$inputs" "$standard_input" -- "$@"
    awk -f tests/places/expected.awk "$scratch/cfg" "$scratch/transitions" "$scratch/counts" | LC_ALL=C sort \
        >"$scratch/expected"
    found "$scratch/atom/files" >"$scratch/found"
    if ! cmp -s "$scratch/plain/stdout" "$scratch/atom/stdout" || ! cmp -s "$scratch/plain/status" "$scratch/atom/status"; then
        failed "places/$name" "another output or exit status"
    elif diff "$scratch/expected" "$scratch/found" >"$scratch/difference" && [ -s "$scratch/found" ]; then
        passed "places/$name"
    else
        failed "places/$name" "$(grep -c '^[<>]' "$scratch/difference") lines differ from what QEMU has seen (<)" \
            "$scratch/difference"
    fi
}

# of_workload PROGRAM LEVEL WORKLOAD
of_workload() {
    local program
    if ! program=$(tests/programs/build.sh "$1" "$2" 2>/dev/null); then
        skipped "places/$1" "its source could not be fetched"
        return
    fi
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$1/program.sh"
    "workload_$3"
    compare "$1-$2-$3" "$program" "$BUILD/programs/$1/inputs" "$standard_input" "${arguments[@]}"
}

# ---- sets of sets: what can be counted in two ways, and names against grep

alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/reports/work.c -o "$scratch/work"
if "$ATOMC" tests/places/sets.atd "$scratch/work" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
    run_program "$scratch/sets" work "$scratch/instrumented" "" "" --
    {
        awk 'NR == 2 { print ($1 > 0), ($2 > 0), ($4 > 0), $3 == $1 + $2 - $4, $5 == $1 - $4, $6 == $3 - $4, $6 == $7, $8,
            $9 == $3, ($10 > $3) }' \
            "$scratch/sets/files/counts.out"
        awk -F'\t' 'NR > 1 && ($1 != NR - 2 || $2 != $1 || $3 != $1 || $4 <= last || $5 != 1) { print "odd.out", $0 } NR > 1 { last = $4 }' \
            "$scratch/sets/files/odd.out"
        tail -n +2 "$scratch/sets/files/procs.out" | awk '{ print (/^(mem|str)[a-z]*$/ ? 1 : 0) "\t" $0 }' | grep -v '^0	_' |
            awk '{ print NR - 1 "\t" $0 }' | diff - <(tail -n +2 "$scratch/sets/files/names.out") || true
    } >"$scratch/found" 2>&1
    if [ "$(cat "$scratch/found")" = "1 1 1 1 1 1 1 0 1 1" ]; then
        passed places/sets
    else
        failed places/sets "sets are counted or numbered wrongly" "$scratch/found"
    fi
else
    failed places/sets "atomc failed" "$scratch/log"
fi

# ---- counts

if ! "$QEMU" -h 2>&1 | grep -q -e "-plugin"; then
    skipped places "no oracle: $QEMU has no -plugin"
    exit 0
fi
alpha-linux-gnu-gcc -nostdlib -static -Wl,--no-relax tests/places/flow.S -o "$scratch/flow"
compare flow "$scratch/flow" "" ""
of_workload bzip2 O2 decompress
of_workload lua O2 "$(. tests/programs/lua/program.sh && echo "${workloads%% *}")"
of_workload sqlite3 O2 "$(. tests/programs/sqlite3/program.sh && echo "${workloads%% *}")"
exit 0
