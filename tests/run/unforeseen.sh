#!/bin/bash
# unforeseen.sh: an indirect jump to a place that nothing foresaw stops the program and names both addresses; one
# that may go anywhere in its procedure is counted exactly; signal handlers may send control where they like.
# Requires: atomc (ATOMC), build/tests/oracle.so, the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for level in O0 O2; do
    alpha-linux-gnu-gcc -$level -static -Wl,--no-relax tests/data/label_differences.c -o "$scratch/labels-$level"
done
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/unforeseen.c tests/data/unforeseen.s -o "$scratch/plain"
cp tests/run/counts.sh "$scratch"
cd "$scratch"
ulimit -c 0

address() { # SYMBOL OFFSET
    printf '0x%x' $((0x$(alpha-linux-gnu-nm plain | awk -v name="$1" '$3 == name { print $1 }') + $2))
}
# How far the jump is from the beginning of by_KIND.
declare -A jump=([jump]=4 [return]=4 [call]=16 [link]=16)

# run PROGRAM ARGUMENTS: to PROGRAM.out, .err, .status
run() {
    local status=0
    { timeout -s KILL 60 "$QEMU" "./$1" "${@:2}" >"$1.out" 2>"$1.err" || status=$?; } 2>/dev/null
    echo "$status" >"$1.status"
}

# The tool, and how it is applied: audit reads all registers, so that its jumps have none to look up in.
for variant in empty prof "prof --no-placement" audit "audit --stack=program"; do
    # shellcheck disable=SC2086
    set -- $variant
    name=${variant// /}
    "$ATOMC" -v -t $variant plain -o tool >log 2>&1 || { failed "unforeseen/$name" "atomc fails" log && continue; }
    [ "$1" != audit ] || grep -q 'over the stack  *[1-9]' log || failed "unforeseen/$name" "no jump goes over the stack" log
    for kind in jump return call link own-code; do
        test=unforeseen/$name/$kind
        run plain $kind 0
        run tool $kind 0
        if ! cmp -s plain.out tool.out || [ "$(cat tool.status)" != 0 ] || [ -s tool.err ]; then
            failed "$test/foreseen" "not as the program itself" tool.err
            continue
        fi
        from=" at $([ $kind = own-code ] || address "by_$kind" "${jump[$kind]}")"
        [ $kind != own-code ] || from=" of code outside of the program's text"
        good=yes
        for offset in 4 8 12; do
            rm -f prof.out
            run tool $kind $offset
            echo "atomc: the indirect jump$from goes to $(address victim $offset), where nothing foresaw one: stopped" >wanted
            if ! cmp -s wanted tool.err; then
                failed "$test/$offset" "not the message" tool.err
            elif [ "$(cat tool.status)" != 134 ] || ! cmp -s <(head -n 1 plain.out) tool.out; then
                failed "$test/$offset" "status $(cat tool.status), or not the output until then" tool.out
            elif [ "$1" = prof ] && { grep -q -w victim prof.out || ! grep -q -w computed prof.out; }; then
                failed "$test/$offset" "not the counts until then" prof.out
            else
                continue
            fi
            good=no
            break
        done
        [ $good = no ] || passed "$test"
    done
done

# Counts where a jump may go to any word of its procedure.
if "$QEMU" -plugin "$BUILD/tests/oracle.so,out=/dev/null" --version >/dev/null 2>&1; then
    "$QEMU" -singlestep -0 ./tool -plugin "$BUILD/tests/oracle.so,out=oracle.txt,registers=on,cache=on" ./plain jump 0 >/dev/null
    for variant in prof "prof --no-placement"; do
        # shellcheck disable=SC2086
        "$ATOMC" -t $variant plain -o tool >log 2>&1
        run tool jump 0
        if bash counts.sh "${variant%% *}" oracle.txt "${variant%% *}.out" plain computed >differences 2>&1; then
            passed "unforeseen/counts/${variant// /}"
        else
            failed "unforeseen/counts/${variant// /}" "not the oracle's" differences
        fi
    done
    # Labels are added up from differences, and kept in memory.
    for level in O0 O2; do
        cp labels-$level plain
        "$QEMU" -singlestep -0 ./tool -plugin "$BUILD/tests/oracle.so,out=oracle.txt,registers=on,cache=on" ./plain >plain.out
        for variant in prof "prof --no-placement"; do
            test=unforeseen/labels-$level/${variant// /}
            # shellcheck disable=SC2086
            "$ATOMC" -t $variant plain -o tool >log 2>&1
            run tool
            if ! cmp -s plain.out tool.out || [ "$(cat tool.status)" != 0 ]; then
                failed "$test" "not as the program itself" tool.err
            elif bash counts.sh "${variant%% *}" oracle.txt "${variant%% *}.out" plain run >differences 2>&1; then
                passed "$test"
            else
                failed "$test" "not the oracle's counts" differences
            fi
        done
    done
fi
[ "$failures" = 0 ]
