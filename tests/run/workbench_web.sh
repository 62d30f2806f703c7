# workbench_web: the workbench in a browser: each tests/web/NAME.mjs on a server of its own, with real programs.
# Pictures of all tested pages are kept in build/workbench/pictures.
# parts: tests/web/*.mjs
for command in node chromedriver; do
    if ! command -v $command >log; then
        skipped browser "$command is not installed: scripts/setup.sh"
        return
    fi
done

# Programs for all parts, with their inputs: real programs, a program in C++, a program with threads, and a program
# whose name HTML has to escape.
make_programs() {
    mkdir programs sources
    if use bzip2 O2 compress; then
        cp "$program" programs/bzip2
        cp "$inputs/text" programs
    fi
    cp "$tests/tools/queens.c" sources
    alpha programs/queens "$PWD/sources/queens.c" -g
    cp programs/queens 'programs/a <b> & "c"'
    cp "$tests"/web/programs/* sources
    alpha programs/shapes "$PWD/sources/shapes.cc" -g
    alpha programs/ledger "$PWD/sources/ledger.cc" -g
    alpha programs/sums "$PWD/sources/sums.c" -g -pthread
    alpha programs/spin "$PWD/sources/spin.c" -g -O1
    alpha programs/kin "$PWD/sources/kin.c" -g
    alpha programs/same "$PWD/sources/same.c" -g
    # The same program before and after a change, each built from a folder of its own.
    mkdir sources/before sources/after programs/before programs/after
    cp "$tests/web/programs/walk.c" sources/before
    sed -e '1a/* Two lines more,\n   and halves. */' -e 's/search(numbers\[i\], 0)/search(numbers[i], 1)/' \
        sources/before/walk.c >sources/after/walk.c
    for build in before after; do
        alpha "programs/$build/walk" "$PWD/sources/$build/walk.c" -g -O1
    done
    alpha programs/matrix "$PWD/sources/matrix.c" -g -O1
    # Templates: names of several hundred letters. Two builds have other clones of procedures.
    alpha programs/words "$PWD/sources/words.cc" -g -O2
    shared programs/words-dynamic "$PWD/sources/words.cc" -g -O2
    alpha programs/before/words "$PWD/sources/words.cc" -g -O1
    if [ "$SIZE" = all ] && use sqlite3 O2 queries; then
        cp "$program" programs/sqlite3
        cp "$inputs/queries.sql" programs
    fi
}
once web make_programs
export PICTURES=$top/build/workbench/pictures PROGRAMS=$once/programs
status=0
mkdir scratch
SCRATCH=$scratch/scratch TEST_PREFIX=$case/ timeout -k 5 "$(pick 1500 3000)" node "$tests/web/$PART.mjs" >log 2>&1 || status=$?
cat log
failures=$((failures + $(grep -c '^not ok' log || true)))
# A part that ended too early, or by a signal, has not printed its end.
grep -v '^ok ' log | tail -n "${FAILURE_LINES:-12}" >last || true
check "$PART/ended" "[ $status -le 1 ] && grep -q '^# end' log && grep -q '^ok' log" last
