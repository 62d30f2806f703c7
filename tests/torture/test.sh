#!/bin/bash
# test.sh NAME LEVEL [MODE...]: one of GCC's own tests, instrumented: it must behave as it does plain.
# Requires: atomc (ATOMC), the cross compilers, qemu-alpha; run from the repository's root. NAME as list.sh prints it.
#
# Modes (default: empty prof audit poison): a stock tool's name; poison: `empty` with every register that liveness
# calls dead overwritten wherever something could be inserted; counts: `prof`, and its counts held against the oracle.
# Prints a line for each: ok, not ok, or skip with the reason.
set -u
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
name=$1
level=$2
shift 2
[ $# -gt 0 ] || set -- empty prof audit poison
tests=$(tests/torture/fetch.sh) || {
    skipped "torture/$name-$level" "gcc-12-source could not be fetched"
    exit 0
}
base=$BUILD/tests/torture/${name//\//_}-$level
file=$tests/$name
mkdir -p "$base/run"
trap 'rm -rf "$base"' EXIT

# What the test's own comments ask of the compiler.
options=$(sed -n 's/.*{ *dg-\(additional-\)\?options *"\([^"]*\)" *}.*/\2/p' "$file" | tr '\n' ' ')
case $name in
*.C) compiler="alpha-linux-gnu-g++" ;;
*.c) compiler="alpha-linux-gnu-gcc -std=gnu17" ;;
*) compiler="alpha-linux-gnu-gfortran" ;;
esac
files=$file
case $name in
*/builtins/*) # their own memset and memcpy must not become calls of themselves, as in GCC's builtins.exp
    files="$file ${file%.c}-lib.c $tests/gcc.c-torture/execute/builtins/lib/main.c"
    options="$options -fno-tree-loop-distribute-patterns"
    ;;
esac
libraries=
case $name in *.c) libraries=-lm ;; esac

# shellcheck disable=SC2086 # several words
if ! (cd "$base" && timeout 120 $compiler -w "-$level" $options -static -Wl,--no-relax $files $libraries -o program) \
    >"$base/log" 2>&1; then
    skipped "torture/$name-$level" "does not compile: $(grep -m 1 -E 'error|undefined' "$base/log" | sed 's/.*: //')"
    exit 0
fi

# run PROGRAM RESULT [QEMU_OPTION...]: always under the same path
run() {
    local result=$base/$2 status=0
    cp "$1" "$base/run/program"
    shift 2
    {
        (
            cd "$base/run" || exit 1
            ulimit -c 0
            exec env -i timeout -s KILL 60 "$(command -v "$QEMU")" -seed 1 "$@" ./program </dev/null \
                >"$result.stdout" 2>"$result.stderr"
        ) || status=$?
    } 2>/dev/null
    echo "$status" >"$result.status"
}

run "$base/program" plain
if [ "$(cat "$base/plain.status")" != 0 ]; then
    skipped "torture/$name-$level" "fails uninstrumented, with status $(cat "$base/plain.status")"
    exit 0
fi

for mode; do
    test=torture/$name-$level/$mode
    flags=
    tool=$mode
    case $mode in
    poison)
        tool=empty
        flags=--poison
        ;;
    counts) tool=prof ;;
    esac
    rm -f "$base/run"/*
    if ! timeout 120 "$ATOMC" $flags -t "$tool" "$base/program" -o "$base/instrumented" >"$base/log" 2>&1; then
        failed "$test" "atomc fails" "$base/log"
        continue
    fi
    run "$base/instrumented" "$mode"
    good=yes
    for part in status stdout stderr; do
        if ! cmp -s "$base/plain.$part" "$base/$mode.$part"; then
            diff "$base/plain.$part" "$base/$mode.$part" >"$base/log" 2>&1
            failed "$test" "$part differs" "$base/log"
            good=no
            break
        fi
    done
    [ "$good" = yes ] || continue
    if [ "$mode" = counts ]; then
        mv "$base/run/prof.out" "$base/prof.out"
        run "$base/program" oracle -singlestep -plugin \
            "$BUILD/tests/oracle.so,out=$base/oracle.txt,registers=on,cache=on"
        if ! tests/run/counts.sh prof "$base/oracle.txt" "$base/prof.out" "$base/program" >"$base/log" 2>&1; then
            failed "$test" "prof differs from the oracle's counts" "$base/log"
            continue
        fi
    fi
    passed "$test"
done
