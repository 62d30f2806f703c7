#!/bin/bash
# actions.sh: sampling and switches, on a program whose counts are known, in one thread and in several.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/actions/* "$scratch"
cd "$scratch"
alpha-linux-gnu-gcc -O2 -static -pthread -Wl,--no-relax work.c -o work

# says TEST PROGRAM ARGUMENTS: it prints what standard input says, and ends well.
says() {
    local test=$1
    shift
    if "$QEMU" "$@" >found 2>&1 && diff - found >difference; then
        passed "actions/$test"
    else
        cat found >>difference
        failed "actions/$test" "not what it should print" difference
    fi
}

# windows EVERY FLAGS: THREADS STEPS calls in threads, and 25 more.
windows() {
    local every=$1 threads=$2 steps=$3 flags=${4:-} all even
    all=$((threads * steps + 25))
    even=$((threads * ((steps + 1) / 2) + 2 + 2 * 5 + 1)) # 0 and 2, five of each ten, and round 0
    # shellcheck disable=SC2086
    "$ATOMC" $flags windows.atd work -D "every=$every" -o work.atom >log 2>&1 || failed "actions/windows" "atomc failed" log
    printf 'done\nlooked at %d, 0 odd\n%s\n%d\t%d\t%d\t20\t%d\t4\t1\t1\n' "$((even / (2 * every)))" \
        "$(printf 'All\tSampled\tEven\tInside\tOutside\tFirst\tWindows\tBoth')" \
        "$all" "$((all / every))" "$((even / (2 * every)))" "$((threads * steps + 3))" >expected
    says "windows-$every-$threads$flags" work.atom "$threads" "$steps" <expected
}
windows 7 1 1000
windows 7 1 1000 --no-liveness
windows 1 1 1000
windows 300 4 30000
windows 3 4 30001
exit "$((failures > 0))"
