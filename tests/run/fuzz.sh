# fuzz: the fuzzers of tests/fuzz for some seconds, with the same inputs each time: no crash, no leak, no endless run.
# The same seed makes the same inputs as long as the corpus, the tree's own tools, does not change. FUZZ_RUNS: the
# number of runs of each.
if [ ! -x "${BUILD_CHECKED:-none}/tests/fuzz/fuzz_compiler" ]; then
    skipped all "no sanitized build"
    return
fi
folder=$BUILD/tests/fuzz # the input is kept for the correction of the error
rm -rf "$folder"
check corpus "mkdir -p '$folder' && (cd '$top' && tests/fuzz/corpus.sh '$folder')"
while read -r fuzzer runs options; do
    runs=${FUZZ_RUNS:-$runs}
    fuzz="$BUILD_CHECKED/tests/fuzz/fuzz_$fuzzer -runs=$runs -seed=4 $options -save=$folder/input-$fuzzer $folder/$fuzzer"
    check "$fuzzer" "(cd '$top' && timeout 1500 $fuzz) >log 2>&1 && grep ' $runs changed ones' log" log
done <<END
compiler $(pick 4000 40000) -max_len=3000 -dict=$folder/atd.dict
elf $(pick 2000 4000) -max_len=32768
rewrite $(pick 60 1000) -max_len=32768
END
