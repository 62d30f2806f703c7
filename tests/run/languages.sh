#!/bin/bash
# languages.sh: programs in Ada, Go and Modula-2 behave as they do plain under empty, prof and with dead
# registers overwritten; those without threads have the oracle's counts.
# Requires: atomc (ATOMC), build/tests/oracle.so, qemu-alpha, and the cross compilers, each of which may be missing
# (then that is said); run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/languages/* tests/run/counts.sh "$scratch"
cd "$scratch"
unset LIBRARY_PATH # gm2 looks there only
static="-O2 -static -Wl,--no-relax"

# run PROGRAM [QEMU_OPTION...]: always under one name and path
run() {
    local program=$1 status=0
    shift
    mkdir -p bin
    cp "$program" bin/program
    { env -i timeout -s KILL 120 "$(command -v "$QEMU")" -seed 1 "$@" bin/program >"$program.said" 2>&1 || status=$?; } 2>/dev/null
    echo "status $status" >>"$program.said"
}

while read -r language compiler threads command; do
    test=languages/$language
    rm -f plain ./*.out
    if ! command -v "$compiler" >/dev/null; then
        skipped "$test" "$compiler is not installed (scripts/setup.sh installs it)"
        continue
    elif ! eval "$command" >log 2>&1; then
        failed "$test" "does not compile" log
        continue
    fi
    run plain
    if ! grep -q '^status 0$' plain.said; then
        failed "$test" "fails plain" plain.said
        continue
    fi
    for mode in empty prof poison; do
        flags="-t $mode"
        [ $mode != poison ] || flags="--poison -t empty"
        # shellcheck disable=SC2086
        if ! "$ATOMC" $flags plain -o tool >log 2>&1; then
            failed "$test/$mode" "atomc fails" log
            continue
        fi
        run tool
        if ! cmp -s plain.said tool.said; then
            failed "$test/$mode" "not as plain" tool.said
            continue
        fi
        passed "$test/$mode"
        if [ $mode = prof ] && [ "$threads" = no ]; then
            run plain -singlestep -plugin "$BUILD/tests/oracle.so,out=oracle.txt,registers=on,cache=on"
            if bash counts.sh prof oracle.txt prof.out plain >log 2>&1; then
                passed "$test/counts"
            else
                failed "$test/counts" "not the oracle's" log
            fi
        fi
    done
done <<'END'
Ada alpha-linux-gnu-gnatmake-12 no alpha-linux-gnu-gnatmake-12 -O2 raises.adb -o plain -bargs -static -largs -static -Wl,--no-relax
Go alpha-linux-gnu-gccgo-12 yes alpha-linux-gnu-gccgo-12 $static routines.go -o plain
Modula-2 alpha-linux-gnu-gm2-12 no alpha-linux-gnu-gm2-12 $static sieve.mod -o plain
END
[ "$failures" = 0 ]
