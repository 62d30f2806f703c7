#!/bin/bash
# program.sh: one test program at one level under the stock tools: same behaviour as plain, and the oracle's counts.
# Requires: atomc (ATOMC, default build/atomc), build/tests/oracle.so; run from the repository's root.
#
# Use: program.sh NAME LEVEL [TOOL...]. Prints a line per test: ok, not ok, or skip (library.sh).
# WORKLOADS restricts it to the workloads named. With ATOMC_CHECKED, a second atomc (built with sanitizers), every
# program is instrumented by both, which must do the same. With KEEP=1 the folder of the runs stays.
# ATOMC_FLAGS are passed to both.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
name=$1
level=$2
shift 2
if [ $# = 0 ]; then
    set -- empty branch prof cache audit
fi
oracle=$BUILD/tests/oracle.so
base=$BUILD/tests/runs/$name-$level
inputs=$base/inputs
stage=$base/stage

if ! program=$(tests/programs/build.sh "$name" "$level" 2>"$BUILD/tests/$name-$level.build"); then
    status=$?
    reason=$(tail -n 1 "$BUILD/tests/$name-$level.build")
    # Without the network there is no source.
    case $reason in
    *": no source: "*) skipped "$name-$level" "$reason" ;;
    *) failed "$name-$level" "$reason" ;;
    esac
    exit 0
fi
rm -rf "$base"
mkdir -p "$base"
# A copy: a build of another level may make them anew.
flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$inputs"
stable=
unrepeatable=
faulting=
unrepeatable=

# shellcheck source=/dev/null
. "tests/programs/$name/program.sh"

option_of() { # TOOL: what atomc is told; branch_c is the one with routines in C
    case $1 in
    branch_c) echo docs/examples/branch.atd ;;
    *) echo "-t $1" ;;
    esac
}

# instrument TOOL: leaves $base/TOOL.program, or nothing.
instrument() {
    local tool=$1 test=$name-$level/$1/instrument
    # shellcheck disable=SC2086
    if ! "$ATOMC" ${atomc_flags:-} ${ATOMC_FLAGS:-} $(option_of "$tool") "$program" -o "$base/$tool.program" >"$base/$tool.log" 2>&1; then
        failed "$test" "atomc failed" "$base/$tool.log"
        rm -f "$base/$tool.program"
        return
    fi
    passed "$test"
    [ -n "${ATOMC_CHECKED:-}" ] || return 0
    # shellcheck disable=SC2086
    if ! "$ATOMC_CHECKED" ${atomc_flags:-} ${ATOMC_FLAGS:-} $(option_of "$tool") "$program" -o "$base/$tool.checked" >"$base/$tool.log" 2>&1; then
        failed "$test-checked" "atomc with sanitizers failed" "$base/$tool.log"
    elif ! cmp "$base/$tool.program" "$base/$tool.checked" >"$base/$tool.log" 2>&1; then
        failed "$test-checked" "atomc with sanitizers writes something else" "$base/$tool.log"
    else
        passed "$test-checked"
    fi
    rm -f "$base/$tool.checked"
}

output_of() { # TOOL: the file that the tool leaves
    case $1 in
    branch*) echo btaken.out ;;
    empty) echo ;;
    *) echo "$1.out" ;;
    esac
}

# The plain run and the oracle's, of a workload; the oracle must not disturb.
run_references() {
    local workload=$1
    run_program "$base/plain" "$name" "$program" "$inputs" "$standard_input" -- "${arguments[@]}"
    [ -n "$have_oracle" ] || return 0
    rm -f "$base"/oracle.txt*
    run_program "$base/counted" "$name" "$program" "$inputs" "$standard_input" -singlestep \
        -plugin "$oracle,out=$base/oracle.txt,cache=on,registers=on" -- "${arguments[@]}"
    same_results "$name-$level/oracle/$workload" "$base/plain" "$base/counted"
}

# Are the tool's counts the oracle's? In runs with threads those of the stable procedures.
check_counts() {
    local tool=$1 test=$name-$level/$1/$2/counts output thread_count only=
    output=$(output_of "$tool")
    [ -n "$output" ] || return 0
    if [ -z "$have_oracle" ]; then
        skipped "$test" "no oracle: $no_oracle"
        return
    fi
    if [ ! -f "$base/oracle.txt" ]; then
        failed "$test" "the oracle has left no counts"
        return
    fi
    case " $unrepeatable | $tool " in
    *" $2 "*" audit " | *" $2 "*" cache ")
        skipped "$test" "values that are not the same in every run (process numbers)"
        return
        ;;
    esac
    case " $faulting | $tool " in
    *" $2 "*" prof ")
        skipped "$test" "after a fault that a handler leaves by a jump, the rest of the block is counted"
        return
        ;;
    esac
    thread_count=$(sed -n 's/^# threads //p' "$base/oracle.txt")
    if [ "$thread_count" -gt 1 ]; then
        if [ "$tool" = cache ]; then
            check_threaded_cache "$test" "$base/$tool/files/$output"
            return
        fi
        only=$stable
    fi
    if tests/run/counts.sh "${tool%_c}" "$base/oracle.txt" "$base/$tool/files/$output" "$program" "$only" \
        >"$base/$tool.counts" 2>&1; then
        passed "$test"
    else
        failed "$test" "$(grep -c '^[<>]' "$base/$tool.counts" || true) lines differ from the oracle's (<)" \
            "$base/$tool.counts"
    fi
}

# Threads interleave differently in every run: the misses are not the same, and the references only nearly.
check_threaded_cache() { # TEST FILE
    local expected found
    expected=$(sed -n 's/^# references //p' "$base/oracle.txt")
    found=$(awk '$1 == "L1" { print $2 }' "$2")
    if [ -n "$found" ] && [ "$found" -gt $((expected - expected / 50)) ] &&
        [ "$found" -lt $((expected + expected / 50)) ]; then
        passed "$1"
    else
        failed "$1" "references: expected about $expected, found ${found:-none}"
    fi
}

test_workload() {
    local workload=$1 tool
    shift
    standard_input=
    arguments=()
    "workload_$workload"
    run_references "$workload"
    for tool in "$@"; do
        [ -f "$base/$tool.program" ] || continue
        run_program "$base/$tool" "$name" "$base/$tool.program" "$inputs" "$standard_input" -- "${arguments[@]}"
        same_results "$name-$level/$tool/$workload" "$base/plain" "$base/$tool" "$(output_of "$tool")"
        check_counts "$tool" "$workload"
    done
}

have_oracle=yes
no_oracle=
if ! "$QEMU" -h 2>&1 | grep -q -e "-plugin"; then
    have_oracle=
    no_oracle="$QEMU has no -plugin"
fi
for tool in "$@"; do
    instrument "$tool"
done
for workload in ${WORKLOADS:-$workloads}; do
    # The large one is for measurements.
    if [ "$workload" = large ] && [ -z "${WORKLOADS:-}" ]; then
        continue
    fi
    test_workload "$workload" "$@"
done
[ -n "${KEEP:-}" ] || [ "$failures" != 0 ] || rm -rf "$base"
exit 0
