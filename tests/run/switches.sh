#!/bin/bash
# switches.sh: whatever the switches, the same results: what each tool of tests/switches/tools.txt prints about the test programs,
# and what the programs print and leave, is byte for byte the same with each way of calling and each pass left out.
# Requires: atomc (ATOMC), the test programs, qemu-alpha; run from the repository's root.
#
# Without SWITCHES_ALL=1 (make check-switches: all programs, tools and switches) a few combinations. SWITCHES_PROGRAMS,
# SWITCHES_TOOLS and SWITCHES choose. Lines of tests: switches/PROGRAM/TOOL/SWITCH/WORKLOAD. Where a switch makes no
# difference to the instrumented program, it is not run: WORKLOAD is "unchanged". tests/switches/table.awk makes a table of them.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
base=$BUILD/tests/runs/switches

every_switch="--call=wrapper --call=direct --call=inline --no-liveness --no-placement --no-promotion --no-sharing --no-observations --no-borrowing --no-branches
    --no-splitting --no-delay --no-renaming --copy=all --copy=sparse --poison"
# All passes left out at once.
nothing=$(tr ' ' '\n' <<<"--call=wrapper $every_switch" | grep -e --no- -e wrapper | tr '\n' ' ')
# PROGRAM:WORKLOADS TOOLS SWITCHES
few="bzip2:compress counts,some --no-placement,--copy=sparse
lua:strings,errors counts,some --no-placement,--copy=sparse
minisat:satisfiable counts,some --no-placement,--copy=sparse
dash:expand counts,some,audit --no-placement,--copy=sparse,nothing
blas:small some --copy=sparse
zpaq:add prof,some --copy=sparse,nothing
addresses:jumps,places,faults gprof,unalign,counts,some --no-placement,--call=wrapper,--copy=sparse
lzip:damaged prof,2bit,audit,cache8k each,nothing"

# Tools whose counts in the procedures that are called `stable` are the same however threads take turns.
steady_tools=" prof branch "
# Those that print on standard output too, at the end.
printing_tools=" put_in calls "

tool_column() { # TOOL COLUMN
    awk -v tool="$1" -v column="$2" '$1 == tool { if (column < 3) print $column; else { $1 = $2 = ""; print } }' tests/switches/tools.txt
}

# instrument TOOL SWITCH OUTPUT
instrument() {
    local switch=$2
    [ "$switch" != nothing ] || switch=$nothing
    # shellcheck disable=SC2046,SC2086
    "$ATOMC" ${atomc_flags:-} $switch $(tool_column "$1" 3) "$program" -o "$3" >"$base/$name/log" 2>&1
}

# run_workload WORKLOAD EXECUTABLE RESULT
run_workload() {
    standard_input=
    arguments=()
    "workload_$1"
    run_program "$3" "$name" "$2" "$inputs" "$standard_input" -- "${arguments[@]}"
}

# Of the results of a run with threads only what does not depend on their turns; PLAIN is the uninstrumented run's.
keep_steady() { # TOOL PLAIN RESULT
    local file
    [ "$threads" = yes ] || return 0
    find "$3/files" -type f | while read -r file; do
        [ ! -e "$2/files${file#"$3/files"}" ] || continue
        case $steady_tools in
        *" $1 "*)
            # Not shares of a sum over all procedures.
            awk -v stable="$stable" '{ gsub(/[0-9]+\.[0-9]+/, "-"); for (i = 1; i <= NF; i++) if ($i ~ stable) { print; next } }' "$file" >"$file.steady"
            mv "$file.steady" "$file"
            ;;
        *) rm "$file" ;;
        esac
    done
}

# The program under a tool without switches: it does what it does plain, and the tool leaves its file.
try_default() { # TOOL WORKLOADS
    local tool=$1 workload results=$base/$name/$1 test file
    if ! instrument "$tool" "" "$base/$name/default"; then
        failed "switches/$name/$tool/default/instrument" "atomc failed" "$base/$name/log"
        return 1
    fi
    for workload in $2; do
        test=switches/$name/$tool/default/$workload
        run_workload "$workload" "$base/$name/default" "$results/$workload"
        file=$(find "$results/$workload/files" -name "$(tool_column "$tool" 2)" -size +0)
        keep_steady "$tool" "$base/$name/plain/$workload" "$results/$workload"
        if [ -z "$file" ]; then
            failed "$test" "$(tool_column "$tool" 2) is missing" "$results/$workload/stderr"
            continue
        fi
        # What the plain run has not left, or printed before, is the tool's.
        rm -rf "$results/own"
        cp -a "$results/$workload" "$results/own"
        (cd "$results/own" && find files -type f) | while read -r file; do
            [ -e "$base/$name/plain/$workload/$file" ] || rm "$results/own/$file"
        done
        case $printing_tools in
        *" $tool "*) head -c "$(stat -c %s "$base/$name/plain/$workload/stdout")" "$results/$workload/stdout" >"$results/own/stdout" ;;
        esac
        same_results "$test" "$base/$name/plain/$workload" "$results/own"
    done
}

try_switch() { # TOOL SWITCH WORKLOADS
    local tool=$1 switch=$2 workload found=$base/$name/found test=switches/$name/$1/$2
    if ! instrument "$tool" "$switch" "$base/$name/switched"; then
        if [ "$switch" = --copy=sparse ] && grep -q 'cannot be copied sparsely: ' "$base/$name/log"; then
            skipped "$test" "$(sed -n 's/.*cannot be copied sparsely: //p' "$base/$name/log")"
        else
            failed "$test/instrument" "atomc failed" "$base/$name/log"
        fi
        return 0
    fi
    if cmp -s "$base/$name/default" "$base/$name/switched"; then
        passed "$test/unchanged"
        return 0
    fi
    for workload in $3; do
        run_workload "$workload" "$base/$name/switched" "$found"
        keep_steady "$tool" "$base/$name/plain/$workload" "$found"
        # The number of digits of a process number, which some print, may have changed since.
        if ! diff -rq "$base/$name/$tool/$workload" "$found" >/dev/null 2>&1; then
            run_workload "$workload" "$base/$name/default" "$base/$name/$tool/$workload"
            keep_steady "$tool" "$base/$name/plain/$workload" "$base/$name/$tool/$workload"
        fi
        same_results "$test/$workload" "$base/$name/$tool/$workload" "$found"
    done
}

# try_program NAME[:WORKLOAD,...] TOOLS SWITCHES: in a process of its own; it leaves status 1 if something failed.
try_program() (
    name=${1%%:*}
    stage=$base/$name/stage
    if ! program=$(tests/programs/build.sh "$name" O2 2>"$base/$name.build"); then
        skipped "switches/$name" "$(tail -n 1 "$base/$name.build")"
        exit 0
    fi
    rm -rf "${base:?}/$name"
    mkdir -p "$base/$name"
    inputs=$base/$name/inputs
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$inputs"
    stable=
    unrepeatable=
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    # Others are long, or have process numbers.
    left_out=" large $unrepeatable "
    case $1 in *:*) workloads=${1#*:} left_out= ;; esac
    chosen=
    for workload in ${workloads//,/ }; do
        case $left_out in *" $workload "*) continue ;; esac
        chosen+=" $workload"
        run_workload "$workload" "$program" "$base/$name/plain/$workload"
    done
    for tool in $2; do
        try_default "$tool" "$chosen" || continue
        for switch in $3; do
            try_switch "$tool" "$switch" "$chosen"
        done
        rm -rf "${base:?}/$name/$tool"
    done
    [ "$failures" != 0 ] || rm -rf "${base:?}/$name"
    [ "$failures" = 0 ]
)

if [ "${1:-}" = --program ]; then
    switches=$(sed "s/\beach\b/$(echo $every_switch | sed 's,/,\\/,g')/" <<<"${4//,/ }")
    try_program "$2" "${3//,/ }" "$switches"
    exit
fi

# Every switch that leaves out a pass, or chooses a way, is among those that are tried.
help=$("$ATOMC" --help)
for switch in $(grep -o '^  --no-[a-z-]*' <<<"$help") $(sed -n 's/^  \(--call\|--copy\)=\([a-z|]*\).*/\1 \2/p' <<<"$help" |
    while read -r option values; do echo "$option=${values//|/ $option=}"; done); do
    case " $(echo $every_switch) " in
    *" $switch "*) passed "switches/tried/$switch" ;;
    *) failed "switches/tried/$switch" "it is not tried here" ;;
    esac
done

mkdir -p "$base"
if [ -z "${SWITCHES_ALL:-}" ]; then
    echo "$few"
else
    # The longest first.
    tools=$(echo ${SWITCHES_TOOLS:-$(awk '!/^#/ { print $1 }' tests/switches/tools.txt)})
    for program in ${SWITCHES_PROGRAMS:-sqlite3 zpaq pbzip2 zblas blas minisat bzip2 lua mawk byacc minigzip lzip dash addresses}; do
        echo "$program ${tools// /,} $(echo ${SWITCHES:-each nothing} | tr ' ' ,)"
    done
fi | xargs -P "${JOBS:-2}" -L 1 bash "$0" --program || failures=1
[ "$failures" = 0 ]
