#!/bin/bash
# fuzz.sh: the fuzzers of tests/fuzz for some seconds, the same inputs each time: no crash, no leak, no endless run.
# Requires: the sanitized build (BUILD_CHECKED); run from the repository's root.
#
# FUZZ_RUNS changed inputs for the compiler, a tenth as many for the programs, a fortieth for rewriting them. The same seed makes the same inputs as
# long as the corpus, which is the tree's own tools, stays: another one is another test.
set -u
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
if [ ! -x "${BUILD_CHECKED:-none}/tests/fuzz/fuzz_compiler" ]; then
    skipped fuzz "no sanitized build"
    exit 0
fi
folder=$BUILD/tests/fuzz
rm -rf "$folder"
mkdir -p "$folder"
if ! tests/fuzz/corpus.sh "$folder" 2>"$folder/log"; then
    failed fuzz/corpus "it cannot be made" "$folder/log"
    exit 1
fi

# fuzz NAME RUNS OPTION...
fuzz() {
    local name=$1 runs=$2
    shift 2
    if timeout 300 "$BUILD_CHECKED/tests/fuzz/fuzz_$name" -runs="$runs" -seed=4 "$@" -save="$folder/input-$name" \
        "$folder/$name" >"$folder/$name.log" 2>&1 && grep -q " $runs changed ones" "$folder/$name.log"; then
        passed "fuzz/$name"
    else
        failed "fuzz/$name" "see $folder/$name.log; the input is $folder/input-$name" "$folder/$name.log"
    fi
}
fuzz compiler "${FUZZ_RUNS:-40000}" -max_len=3000 -dict="$folder/atd.dict"
fuzz elf "$((${FUZZ_RUNS:-40000} / 10))" -max_len=32768
fuzz rewrite "$((${FUZZ_RUNS:-40000} / 40))" -max_len=32768
[ "$failures" = 0 ]
