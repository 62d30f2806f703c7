#!/bin/bash
# memory.sh: $memory against what programs say is there: in pages that can be read and others, at faults, in all accesses.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/memory/* "$scratch"
cd "$scratch"
ulimit -c 0
c="alpha-linux-gnu-gcc -static -pthread -Wl,--no-relax"

# instrument TOOL PROGRAM FLAGS: into TOOL.atom; false, and reported, if that fails.
instrument() {
    # shellcheck disable=SC2086
    "$ATOMC" ${3:-} "$1.atd" "$2" -o "$1.atom" >log 2>&1 || { failed "memory/$1${3:-}" "atomc failed" log && return 1; }
}
# end_of NAME EXECUTABLE ARGUMENT...: what it prints and its exit status. bash's own word on signals goes elsewhere.
end_of() {
    local name=$1 status=0
    shift
    { timeout 60 "$QEMU" -0 program "$@" >"$name" 2>&1 || status=$?; } 2>/dev/null
    echo "exit status $status" >>"$name"
}
# same TEST: is `found` as `expected`?
same() {
    if diff expected found >difference; then
        passed "memory/$1"
    else
        failed "memory/$1" "not what is there" difference
    fi
}

# ---- at chosen addresses

$c -O2 probes.c -o probes
for flags in "" --stack=own --copy=all --call=direct; do
    instrument probes probes "$flags" || continue
    for way in default blocked ignored handled; do
        for threads in 0 3; do
            [ "$threads$flags" != 3--stack=own ] || continue # a program with threads has no such stack
            [ "$threads$flags" != 3--call=direct ] || continue
            end_of found probes.atom "$way" "$threads"
            looks=$((186 * (threads ? threads : 1)))
            blocked=$([ "$way" = blocked ] && echo 1 1 || echo 0 0)
            {
                printf '0 faults, blocked %s\n%d looks, 0 wrong, 0 strange\n' "$blocked" "$looks"
                printf 'Looked\tOne\tTwo\tFour\tEight\tMost\tChosen\tSum\n'
                printf '%d\t%d\t%d\t%d\t%d\t0xfbf4ede6\t%d\t%d\n' $looks $looks $looks $looks $looks $looks $((looks / 186 * 1954364))
                printf 'From\tBytes\n-9223372036854775808\t0\n0\t%d\n1\t0\n2\t0\nexit status 0\n' $((looks / 186 * 118))
            } >expected
            same "probes-$way-$threads$flags"
        done
    done
done

# ---- at one that another thread takes away

$c -O2 race.c -o race
instrument race race && {
    end_of found race.atom 20000
    printf 'done\nThere\tGone\tOther\n1\t1\t0\nexit status 0\n' >expected
    same race
}

# ---- what is to fault next

$c -O2 faults.c -o faults
for flags in "" --stack=program --call=wrapper --copy=all; do
    instrument faults faults "$flags" || continue
    prefetches=$'ldl 3 0\nlds 3 0'
    for way in blocked default handled once skips; do
        end_of plain faults "$way"
        end_of found faults.atom "$way"
        {
            sed '$d' plain
            [ "$way" = blocked ] || case $way in
            default) printf '%s\n' 0 "ldq 1 0" "stl 1 3" "$prefetches" ;;
            handled) printf '%s\n' $(((7 << 32) + 1000)) "ldq 2 $((2 * ((7 << 32) + 1000) + 1000 + 232 + 1000))" "stl 2 10" "$prefetches" ;;
            once) printf '%s\n' $(((7 << 32) + 1000)) "ldq 3 $((2 * ((7 << 32) + 1000) + 1000 + 232 + 1000))" "stl 2 10" "$prefetches" ;;
            skips) printf '%s\n' 1000 "ldq 2 $((1000 + 232 + 1000 + 1000))" "stl 3 $((3 + 17 + 17 + 34 * 256))" "$prefetches" ;;
            esac | { sed '1s/^/large: /; 1a Instruction	Looks	Seen
2,$y/ /	/'; }
            tail -n 1 plain
        } >expected
        same "faults-$way$flags"
    done
done

# ---- what all loads and stores move

# The numbers that are to be 0 or 1; sums differ from run to run with the addresses that are in them.
judge_accesses() {
    awk -F '\t' 'NR == 2 { print ($1 > 20000), $2, $3 "" == $4 "", ($5 > 20000), $6, $7, $8 "" == $9 "", $10 }' accesses.out
}

for level in O0 "O2 -mcpu=ev56"; do
    # shellcheck disable=SC2086
    $c -$level accesses.c -o accesses
    "$QEMU" accesses 30 >plain
    for flags in "" --stack=program --no-liveness --poison; do
        instrument accesses accesses "$flags" || continue
        rm -f accesses.out
        "$QEMU" accesses.atom 30 >found || true
        cp plain expected
        same "accesses-${level%% *}$flags-output"
        judge_accesses >found
        echo 1 0 1 1 0 0 1 1 >expected
        same "accesses-${level%% *}$flags"
    done
done

# ---- between load-locked and store-conditional

instrument locked accesses && {
    end_of found locked.atom 30
    { cat plain && printf 'Times\tBefore\tFirst\tAfter\n1500\t%d\t%d\t%d\nexit status 0\n' $((1500 * 1499 / 2)) $((1500 * 1499 / 2)) $((1500 * 1501 / 2)); } >expected
    same locked
}
# Two tools at once.
if "$ATOMC" accesses.atd locked.atd accesses -o both.atom >log 2>&1; then
    sed '$d' expected >both.expected
    rm accesses.out
    "$QEMU" both.atom 30 >both.found || true
    if [ "$(judge_accesses)" = "1 0 1 1 0 0 1 1" ] && diff both.expected both.found >difference; then
        passed memory/both
    else
        failed memory/both "not as alone" difference
    fi
else
    failed memory/both "atomc failed" log
fi
"$ATOMC" locked_lost.atd accesses -o lost.atom >log 2>&1
sed -n 's/ (first at .*//p' log >found
for at in 6:5 9:17; do
    echo "locked_lost.atd:$at: warning: 1 calls or updates are left out: between load-locked and store-conditional, and the value asked for is gone after it"
done >expected
same lost
[ "$failures" = 0 ]
