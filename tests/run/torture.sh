# torture: GCC's own run-time tests, instrumented: each must behave as uninstrumented.
#
# make check runs the first tests of a sample. SIZE=all runs all of GCC's tests, which takes about an hour on two cores,
# and ends with a table; TORTURE_NAMES (parts of names), LEVELS and MODES select tests. Tests are named
# SUITE/.../FILE-LEVEL/MODE. The modes are names of stock tools; poison: `empty` with all dead registers overwritten
# wherever code could be inserted; counts: `prof`, with its counts compared with the oracle's.
. "$tests/lib/side_by_side.sh"
suites=$("$tests/torture/fetch.sh") || { skipped suites "gcc-12-source could not be fetched" && return; }

try() { # NAME LEVEL MODE...
    local test=$1-$2 file=$suites/$1 compiler=gcc options mode tool flags
    local -a files=("$file")
    # The options that the test's own comments require from the compiler.
    options="-w -$2 $(sed -n 's/.*{ *dg-\(additional-\)\?options *"\([^"]*\)" *}.*/\2/p' "$file" | tr '\n' ' ')"
    case $1 in
    *.C) compiler=g++ ;;
    *.c) options+=" -std=gnu17 -lm" ;;
    *) compiler=gfortran ;;
    esac
    case $1 in
    */builtins/*) # their own memset and memcpy must not become calls of themselves, as in GCC's builtins.exp
        files+=("${file%.c}-lib.c" "$suites/gcc.c-torture/execute/builtins/lib/main.c")
        options+=" -fno-tree-loop-distribute-patterns"
        ;;
    esac
    if ! timeout 1500 "alpha-linux-gnu-$compiler" "${files[@]}" $options -static -Wl,--no-relax -o program >log 2>&1; then
        skipped "$test" "does not compile: $(grep -m 1 -E 'error|undefined' log | sed 's/.*: //')"
        return
    fi
    run_program plain program program "" "" --
    [ "$(cat plain/status)" = 0 ] || { skipped "$test" "fails uninstrumented, with status $(cat plain/status)" && return; }
    for mode in "${@:3}"; do
        tool=$mode flags=
        case $mode in
        poison) tool=empty flags=--poison ;;
        counts) tool=prof ;;
        esac
        timeout 1500 "$ATOMC" $flags -t "$tool" program -o instrumented >log 2>&1 ||
            { failed "$test/$mode" "atomc failed" log && continue; }
        run_program found program instrumented "" "" --
        if [ "$mode" = counts ]; then
            run_program counted program program "" "" -singlestep -plugin "$oracle,out=$PWD/oracle.txt,registers=on,cache=on" --
            bash "$tests/lib/counts.sh" prof oracle.txt found/files/prof.out program >log 2>&1 ||
                { failed "$test/$mode" "not the oracle's counts" log && continue; }
        fi
        same_results "$test/$mode" plain found "$tool.out"
    done
}

# The tests that are meant to run. Tests that are only compiled, and parts of other tests, are excluded.
list() (
    cd "$suites"
    find gcc.c-torture/execute -name '*.c' ! -path '*/builtins/*'
    # A file with a second one of its own, and a main program for all.
    find gcc.c-torture/execute/builtins -maxdepth 1 -name '*.c' ! -name '*-lib.c'
    grep -l 'dg-do run' g++.dg/eh/*.C
    find gfortran.fortran-torture/execute -name '*.f90' -o -path '*fortran-torture/execute*' -name '*.f'
)

if [ "$SIZE" = all ]; then
    for level in ${LEVELS:-O0 O2}; do
        list | sort | sed "s/\$/ $level ${MODES:-empty prof audit poison}/"
    done
    [ -n "${LEVELS:-}${MODES:-}" ] || awk '{ print $1, $2, "counts" }' "$tests/torture/sample"
else # a line of the sample may name modes: modes that once failed
    head -n 8 "$tests/torture/sample" | awk 'NF == 2 { $0 = $0 " empty counts poison" } { print }'
fi | grep -F "$(tr ' ' '\n' <<<"${TORTURE_NAMES:-/}")" >chosen
side_by_side try <chosen | tee results
[ "$SIZE" != all ] || awk -f "$tests/torture/table.awk" results
