# torture: GCC's own run-time tests, instrumented: each must behave as uninstrumented.
#
# make check runs the first tests of a sample. SIZE=all runs all of GCC's tests, which takes about an hour on two cores,
# and ends with a table; TORTURE_NAMES (parts of names), LEVELS and MODES select tests, MACHINE=aarch64 the machine, of which
# LINKING=-static-pie is another way. Tests are
# named SUITE/.../FILE-LEVEL/MODE. The modes are names of stock tools; poison: `empty` with all dead registers overwritten
# wherever code could be inserted; counts: `prof`, with its counts compared with the oracle's; each: the count of each
# instruction, compared with the plugin's.
. "$tests/lib/side_by_side.sh"
suites=$("$tests/torture/fetch.sh") || { skipped suites "gcc-12-source could not be fetched" && return; }

prepare() { # MACHINE: the compilers, their options, the emulator with its options, the prefix of tests' names, and the modes of all tests
    case $1 in
    alpha) triple=alpha-linux-gnu linking='-static -Wl,--no-relax' emulator=$QEMU emulated='' label='' modes='empty prof audit poison' ;;
    aarch64) triple=aarch64-linux-gnu linking=${LINKING:--static} emulator=$QEMU_AARCH64 emulated='-cpu max' label=aarch64. modes='prof poison each' ;;
    esac
}

# counted TEST MODE: the counts that the run in found has written are those of the uninstrumented program. A program that takes
# random numbers from the kernel has no such counts.
counted() {
    case $2 in
    counts)
        run_program counted program program "" "" -singlestep -plugin "$oracle,out=$PWD/oracle.txt,registers=on,cache=on" --
        bash "$tests/lib/counts.sh" prof oracle.txt found/files/prof.out program >log 2>&1
        ;;
    each)
        count_each expected
        awk '/^0x/ { print $1, $2 }' found/files/each.out | sort >each
        [ -s expected ] && diff expected each >log 2>&1
        ;;
    esac && return
    if [ "$2" = each ]; then
        for again in 1 2 3 4 5; do
            count_each "again$again"
            cmp -s expected "again$again" || { skipped "$1" "its counts differ from run to run" && return; }
        done
    fi
    failed "$1" "not the oracle's counts" log
}
count_each() { # FILE: by the plugin. The vdso, which newer emulators have, is above the text.
    run_program counted program program "" "" $emulated -plugin "$BUILD/tests/addresses.so,out=$PWD/addresses" --
    awk 'length($1) <= 8 { print "0x" $1, $2 }' addresses | sort >"$1"
}

try() { # NAME LEVEL MODE...
    local test=$1-$label$2 file=$suites/$1 compiler=gcc options mode tool flags QEMU=$emulator before
    local -a files=("$file")
    # The options that the test's own comments require from the compiler.
    options="-w -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion -Wno-incompatible-pointer-types -Wno-return-mismatch \
        -$2 $(sed -n 's/.*{ *dg-\(additional-\)\?options *"\([^"]*\)" *}.*/\2/p' "$file" | tr '\n' ' ')"
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
    if ! timeout 1500 "$triple-$compiler" "${files[@]}" $options $linking -o program >log 2>&1; then
        skipped "$test" "does not compile: $(grep -m 1 -E 'error|undefined|not found' log | sed 's/.*: //')"
        return
    fi
    run_program plain program program "" "" $emulated --
    [ "$(cat plain/status)" = 0 ] || { skipped "$test" "fails uninstrumented, with status $(cat plain/status)" && return; }
    for mode in "${@:3}"; do
        tool="-t $mode" flags= before=$failures
        case $mode in
        poison) tool='-t empty' flags=--poison ;;
        counts) tool='-t prof' ;;
        each) tool=$tests/aarch64/each.atd ;;
        esac
        timeout 1500 "$ATOMC" $flags $tool program -o instrumented >log 2>&1 ||
            { failed "$test/$mode" "atomc failed" log && continue; }
        run_program found program instrumented "" "" $emulated --
        counted "$test/$mode" "$mode"
        [ "$failures" != "$before" ] || same_results "$test/$mode" plain found prof.out empty.out audit.out each.out
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

prepare "${MACHINE:-alpha}"
command -v "$triple-gcc" >/dev/null || { skipped all "no compiler for ${MACHINE:-alpha}" && return; }
if [ "$SIZE" = all ]; then
    for level in ${LEVELS:-O0 O2}; do
        list | sort | sed "s/\$/ $level ${MODES:-$modes}/"
    done
    [ -n "${LEVELS:-}${MODES:-}" ] || [ "$triple" != alpha-linux-gnu ] || awk '{ print $1, $2, "counts" }' "$tests/torture/sample"
else # a line of the sample may name modes: modes that once failed
    head -n 8 "$tests/torture/sample" | awk 'NF == 2 { $0 = $0 " empty counts poison" } { print }'
fi | grep -F "$(tr ' ' '\n' <<<"${TORTURE_NAMES:-/}")" >chosen
side_by_side try <chosen | tee results
[ "$SIZE" != all ] || awk -f "$tests/torture/table.awk" results
# A few for AArch64, in make check.
if [ "$SIZE" = check ] && command -v aarch64-linux-gnu-g++ qemu-aarch64 >/dev/null; then
    prepare aarch64
    sed -n 's/ .*//; s/$/ O2 each poison/; 1,6p' "$tests/torture/sample" | side_by_side try
fi
