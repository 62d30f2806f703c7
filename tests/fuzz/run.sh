#!/bin/bash
# run.sh BUILD FUZZER SECONDS: runs a fuzzer that `make fuzz` has built, libFuzzer's if there is one, else with driver.c.
# Requires: BUILD/corpus from corpus.sh. Inputs that fail stay in BUILD/corpus, named crash-, leak- or timeout-.
set -eu
build=$1
fuzzer=$2
seconds=$3
corpus=$build/corpus
case $fuzzer in
compiler) options=(-max_len=3000 -dict="$corpus/atd.dict") ;;
elf | rewrite) options=(-max_len=32768) ;;
esac
if [ -x "$build/tests/fuzz/libfuzzer_$fuzzer" ]; then
    exec "$build/tests/fuzz/libfuzzer_$fuzzer" "${options[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4000 \
        -print_final_stats=1 -artifact_prefix="$corpus/" "$corpus/$fuzzer"
fi
exec "$build/tests/fuzz/fuzz_$fuzzer" "${options[@]}" -runs=1000000000 -seconds="$seconds" -seed="${FUZZ_SEED:-1}" \
    -save="$corpus/crash-$fuzzer" "$corpus/$fuzzer"
