#!/bin/bash
# computed.sh: what inserted code computes itself: expressions against C, counters against the oracle, in threads too.
# Requires: atomc (ATOMC), build/tests/oracle.so, the test programs, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
oracle=$BUILD/tests/oracle.so
stage=$scratch/stage

# ---- expressions.atd checks every operator at every load, store and branch

cat >"$scratch/program.c" <<'EOF'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    double sum = 0;
    float least = 1e9f;
    for (int i = -500; i < 500; i++) {
        double x = sin(i) * i;
        sum += x < 0 ? -x : x;
        if ((float)x <= least)
            least = (float)x;
        if (x == 0 || !(x > -400))
            sum += atof("1.5");
    }
    printf("%.6f %.6f\n", sum, (double)least);
    return 0;
}
EOF
for level in O0 O2; do
    alpha-linux-gnu-gcc -$level -mieee -static -Wl,--no-relax "$scratch/program.c" -lm -o "$scratch/program"
    for flags in "" --no-liveness --stack=program; do
        name=computed/expressions-$level$flags
        # shellcheck disable=SC2086
        if ! "$ATOMC" $flags tests/computed/expressions.atd "$scratch/program" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
            failed "$name" "atomc failed" "$scratch/log"
            continue
        fi
        { "$QEMU" "$scratch/program"; echo "many checks, 0 wrong"; } >"$scratch/expected"
        "$QEMU" "$scratch/instrumented" >"$scratch/found" 2>&1 || true
        if cmp -s "$scratch/expected" "$scratch/found"; then
            passed "$name"
        else
            failed "$name" "C computes something else" "$scratch/found"
        fi
    done
done

# ---- counters without C

# counters PROGRAM LEVEL WORKLOAD
counters() {
    local program page tool stable='' threads=no atomc_flags=''
    if ! program=$(tests/programs/build.sh "$1" "$2" 2>/dev/null); then
        skipped "computed/$1" "its source could not be fetched"
        return
    fi
    # shellcheck source=/dev/null
    . "tests/programs/$1/program.sh"
    [ "$threads" = yes ] || stable=
    standard_input=
    arguments=()
    "workload_$3"
    run_program "$scratch/oracle" "$1" "$program" "$BUILD/programs/$1/inputs" "$standard_input" -singlestep \
        -plugin "$oracle,out=$scratch/oracle.txt,cache=on,registers=on" -- "${arguments[@]}"
    for page in stdtools/branch docs/examples/branch tests/computed/prof; do
        tool=${page##*/}
        "$ATOMC" $page.atd "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1 || true
        run_program "$scratch/$tool" "$1" "$scratch/instrumented" "$BUILD/programs/$1/inputs" "$standard_input" -- \
            "${arguments[@]}"
        output=prof.out
        [ $tool = prof ] || output=btaken.out
        if tests/run/counts.sh $tool "$scratch/oracle.txt" "$scratch/$tool/files/$output" "$program" "$stable" \
            >"$scratch/differences" 2>&1; then
            passed "computed/$page-$1-$3"
        else
            failed "computed/$page-$1-$3" "not the oracle's counts (<)" "$scratch/differences"
        fi
    done
}
if "$QEMU" -h 2>&1 | grep -q -e "-plugin"; then
    counters bzip2 O2 decompress
    counters minisat O2 "$(. tests/programs/minisat/program.sh && echo "${workloads%% *}")"
    counters pbzip2 O2 compress
else
    skipped computed/counters "no oracle: $QEMU has no -plugin"
fi
