#!/bin/bash
# dynamic.sh: dynamically linked programs, position-independent or not, do what they did, and the tools count in them what
# the oracle counts in the uninstrumented program.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha with plugins; run from the repository's root.
#
# Use: dynamic.sh [NAME...]: of the programs, only these; PROGRAM=only: nothing but programs. DYNAMIC_ALL=1: eight programs.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
oracle=$BUILD/tests/oracle.so

# try_program NAME KIND WORKLOAD TOOL...
try_program() {
    local name=$1 kind=$2 workload=$3 program tool test
    shift 3
    test=dynamic/$name-$kind/$workload
    if ! program=$(build_dynamic "$name" "$kind"); then
        skipped "$test" "$(tail -n 1 "$BUILD/tests/$name-$kind.build")"
        return
    fi
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$workload"
    run_program "$scratch/plain" "$name" "$program" "$scratch/inputs" "$standard_input" -L "$libraries" -- "${arguments[@]}"
    rm -f "$scratch/oracle"*
    run_program "$scratch/counted" "$name" "$program" "$scratch/inputs" "$standard_input" -L "$libraries" -singlestep \
        -plugin "$oracle,out=$scratch/oracle,cache=on,registers=on" -- "${arguments[@]}"
    own_counts "$kind" "$program" "$scratch/oracle" >"$scratch/own"
    for tool in "$@"; do
        if ! "$ATOMC" -t "$tool" "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
            failed "$test/$tool" "atomc failed" "$scratch/log"
            continue
        fi
        run_program "$scratch/$tool" "$name" "$scratch/instrumented" "$scratch/inputs" "$standard_input" \
            -L "$libraries" -- "${arguments[@]}"
        same_results "$test/$tool" "$scratch/plain" "$scratch/$tool" prof.out btaken.out
        case $tool in
        prof) output=prof.out ;;
        branch) output=btaken.out ;;
        *) continue ;;
        esac
        if [ ! -s "$scratch/$tool/files/$output" ]; then
            failed "$test/$tool/counts" "no results"
            continue
        fi
        from_zero "$kind" "$scratch/$tool/files/$output" >"$scratch/found"
        if tests/run/counts.sh "$tool" "$scratch/own" "$scratch/found" "$program" >"$scratch/differences" 2>&1; then
            passed "$test/$tool/counts"
        else
            failed "$test/$tool/counts" "not the oracle's (<)" "$scratch/differences"
        fi
    done
}

few="bzip2 dash" most="bzip2 lua"
[ -z "${DYNAMIC_ALL:-}" ] || few="bzip2 lua byacc mawk minisat lzip dash" most="$few sqlite3"
for name in ${*:-$most}; do
    for kind in dynamic pie; do
        try_program "$name" "$kind" "$(first_workload "$name")" empty prof branch
    done
done
[ "${PROGRAM:-}" != only ] || exit "$failures"

unset -f normalise
# Programs with other objects: exceptions through libraries, threads, signals in system calls, plug-ins.
alpha-linux-gnu-g++ -O2 -fno-pie -no-pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects-dynamic" -pthread -ldl
alpha-linux-gnu-g++ -O2 -fPIE -pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects-pie" -pthread -ldl
alpha-linux-gnu-g++ -O2 -fPIC -shared -Wl,--no-relax tests/data/plugin.cc -o "$scratch/plugin.so"
# Libraries too: the dynamic linker, the C library and others.
for name in ${*:-$few}; do
    program=$(build_dynamic "$name" dynamic) || continue
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$(first_workload "$name")"
    try_libraries "dynamic/libraries/$name" "$name" "$program" "$scratch/inputs" "${arguments[@]}"
done
unset -f normalise
standard_input=
try_libraries dynamic/libraries/objects/exceptions objects "$scratch/objects-dynamic" "" exceptions

# All libraries, and a plug-in that comes and goes 50 times.
for kind in dynamic pie; do
    program=$scratch/objects-$kind
    "$ATOMC" --objects="all,$scratch/plugin.so" -t prof -D libraries=true "$program" -o "$scratch/instrumented"
    for way in exceptions threads cancel signals "plugins $scratch/plugin.so"; do
        # shellcheck disable=SC2086
        run_program "$scratch/plain" objects "$program" "" "" -L "$libraries" -- $way
        # shellcheck disable=SC2086
        run_program "$scratch/prof" objects "$scratch/instrumented" "" "" -L "$libraries" -- $way
        same_results "dynamic/libraries/objects-$kind/${way%% *}" "$scratch/plain" "$scratch/prof" prof.out
    done
    if awk -F'\t' '$5 == "plugin.so" && $4 == "plugin_run" { found = 1 } END { exit !found }' "$scratch/prof/files/prof.out"; then
        passed "dynamic/libraries/objects-$kind/rows"
    else
        failed "dynamic/libraries/objects-$kind/rows" "no row of the plug-in" "$scratch/prof/files/prof.out"
    fi
done
# A tool that calls C at every load and store of every object, with all registers overwritten that are taken to be dead.
"$ATOMC" --objects=all --poison -t cache "$scratch/objects-dynamic" -o "$scratch/instrumented"
for way in exceptions threads signals; do
    run_program "$scratch/plain" objects "$scratch/objects-dynamic" "" "" -L "$libraries" -- $way
    run_program "$scratch/cache" objects "$scratch/instrumented" "" "" -L "$libraries" -- $way
    same_results "dynamic/libraries/poison/$way" "$scratch/plain" "$scratch/cache" cache.out
done
# Another plug-in of the same name is not instrumented, which is said.
"$ATOMC" --objects="main,$scratch/plugin.so" -t prof "$scratch/objects-dynamic" -o "$scratch/instrumented"
alpha-linux-gnu-g++ -O1 -fPIC -shared -Wl,--no-relax tests/data/plugin.cc -o "$scratch/plugin.so"
run_program "$scratch/plain" objects "$scratch/objects-dynamic" "" "" -L "$libraries" -- plugins "$scratch/plugin.so"
run_program "$scratch/prof" objects "$scratch/instrumented" "" "" -L "$libraries" -- plugins "$scratch/plugin.so"
if ! grep -q 'plugin.so is not instrumented: it is not the file' "$scratch/prof/stderr"; then
    failed dynamic/libraries/other-file "nothing is said of it" "$scratch/prof/stderr"
elif ! cmp -s "$scratch/plain/stdout" "$scratch/prof/stdout"; then
    failed dynamic/libraries/other-file "the program prints something else"
else
    passed dynamic/libraries/other-file
fi

for kind in dynamic pie; do
    program=$scratch/objects-$kind
    "$ATOMC" -t prof "$program" -o "$scratch/instrumented"
    for way in exceptions threads cancel signals "plugins $scratch/plugin.so"; do
        test=dynamic/objects-$kind/${way%% *}
        # shellcheck disable=SC2086
        run_program "$scratch/plain" objects "$program" "" "" -L "$libraries" -- $way
        rm -f "$scratch/oracle"*
        # shellcheck disable=SC2086
        run_program "$scratch/counted" objects "$program" "" "" -L "$libraries" -singlestep \
            -plugin "$oracle,out=$scratch/oracle,cache=on,registers=on" -- $way
        own_counts "$kind" "$program" "$scratch/oracle" >"$scratch/own"
        # shellcheck disable=SC2086
        run_program "$scratch/prof" objects "$scratch/instrumented" "" "" -L "$libraries" -- $way
        same_results "$test" "$scratch/plain" "$scratch/prof" prof.out
        case $way in
        signals) continue ;; # the child of fork counts as well, in the same file
        esac
        from_zero "$kind" "$scratch/prof/files/prof.out" >"$scratch/found"
        if tests/run/counts.sh prof "$scratch/own" "$scratch/found" "$program" >"$scratch/differences" 2>&1; then
            passed "$test/counts"
        else
            failed "$test/counts" "not the oracle's (<)" "$scratch/differences"
        fi
    done
done

# However the program ends, it does so as before, with results.
alpha-linux-gnu-gcc -O2 -fno-pie -no-pie -Wl,--no-relax tests/data/signals.c -o "$scratch/signals"
"$ATOMC" -t prof "$scratch/signals" -o "$scratch/signals.prof"
for way in return quick abort segv illegal term pipe alarm ignored; do
    run_program "$scratch/plain" signals "$scratch/signals" "" "" -L "$libraries" -- "$way"
    run_program "$scratch/prof" signals "$scratch/signals.prof" "" "" -L "$libraries" -- "$way"
    same_results "dynamic/ends/$way" "$scratch/plain" "$scratch/prof" prof.out
    if grep -q '^total' "$scratch/prof/files/prof.out"; then
        passed "dynamic/ends/$way/results"
    else
        failed "dynamic/ends/$way/results" "no results"
    fi
done

# A static position-independent program that relocates itself. Debian has no rcrt1.o for Alpha, and GCC's -static-pie links none:
# the linker makes one of an object that needs nothing else.
alpha-linux-gnu-gcc -O1 -fPIE -fno-stack-protector -c tests/dynamic/features/alone.c -o "$scratch/alone.o"
alpha-linux-gnu-ld -pie --no-dynamic-linker --no-relax -z noexecstack "$scratch/alone.o" -o "$scratch/alone"
if alpha-linux-gnu-readelf -hlW "$scratch/alone" | grep -q 'Type: *DYN' && ! alpha-linux-gnu-readelf -lW "$scratch/alone" | grep -q INTERP; then
    passed dynamic/alone/kind
else
    failed dynamic/alone/kind "the program is no static position-independent one"
fi
"$ATOMC" -t prof "$scratch/alone" -o "$scratch/alone.prof"
run_program "$scratch/plain" alone "$scratch/alone" "" "" --
rm -f "$scratch/oracle"*
run_program "$scratch/counted" alone "$scratch/alone" "" "" -singlestep -plugin "$oracle,out=$scratch/oracle,cache=on,registers=on" --
own_counts pie "$scratch/alone" "$scratch/oracle" >"$scratch/own"
run_program "$scratch/prof" alone "$scratch/alone.prof" "" "" --
same_results dynamic/alone "$scratch/plain" "$scratch/prof" prof.out
from_zero pie "$scratch/prof/files/prof.out" >"$scratch/found"
if tests/run/counts.sh prof "$scratch/own" "$scratch/found" "$scratch/alone" >"$scratch/differences" 2>&1 && grep -q square "$scratch/found"; then
    passed dynamic/alone/counts
else
    failed dynamic/alone/counts "not the oracle's (<)" "$scratch/differences"
fi
[ "$failures" = 0 ]
