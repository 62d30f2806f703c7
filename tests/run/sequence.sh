#!/bin/bash
# sequence.sh: instrumented, a program executes the same instructions with the same effective addresses in the same
# order, from the first to the last, under its original addresses.
# Requires: atomc (ATOMC), build/tests/sequence.so, qemu-alpha; run from the repository's root. PROGRAMS and TOOLS
# choose; default: the programs without threads, one workload each, under one tool after the other.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
plugin=$BUILD/tests/sequence.so
tools=${TOOLS:-audit prof cache branch}
if ! "$QEMU" -plugin "$plugin,out=/dev/null" --version >/dev/null 2>&1; then
    skipped sequence "$QEMU takes no plugins"
    exit 0
fi

number=0
for name in ${PROGRAMS:-bzip2 minigzip lua lzip minisat mawk byacc sqlite3 blas zblas addresses}; do
    program=$(tests/programs/build.sh "$name" O2 2>/dev/null) || {
        skipped "sequence/$name" "no source"
        continue
    }
    base=$BUILD/tests/runs/sequence-$name
    stage=$base/stage
    rm -rf "$base"
    mkdir -p "$base"
    (
        # shellcheck source=/dev/null
        . "tests/programs/$name/program.sh"
        # shellcheck disable=SC2086
        set -- $tools
        shift $((number % $#))
        tool=$1
        test=sequence/$name/$tool
        # shellcheck disable=SC2154 # set by the program.sh
        workload=${workloads%% *}
        standard_input=
        arguments=()
        "workload_$workload"
        inputs=$BUILD/programs/$name/inputs
        # shellcheck disable=SC2154
        run_program "$base/plain" "$name" "$program" "$inputs" "$standard_input" \
            -plugin "$plugin,out=$base/plain.txt" -- "${arguments[@]}"
        "$ATOMC" ${ATOMC_FLAGS:-} -t "$tool" "$program" -o "$base/instrumented" >"$base/log" 2>&1
        "$ATOMC" ${ATOMC_FLAGS:-} -t "$tool" "$program" --dump=map >"$base/map"
        run_program "$base/run" "$name" "$base/instrumented" "$inputs" "$standard_input" \
            -plugin "$plugin,out=$base/run.txt,map=$base/map" -- "${arguments[@]}"
        if [ ! -s "$base/plain.txt" ]; then
            failed "$test" "no events"
        elif cmp -s "$base/plain.txt" "$base/run.txt"; then
            passed "$test ($(tail -n 1 "$base/plain.txt" | cut -d ' ' -f 1) events)"
        else
            diff "$base/plain.txt" "$base/run.txt" >"$base/difference" || true
            failed "$test" "the program's own instructions or addresses differ; both runs with from=, to= tell where" \
                "$base/difference"
        fi
    ) || failed "sequence/$name" "the script failed"
    rm -rf "$base"
    number=$((number + 1))
done
