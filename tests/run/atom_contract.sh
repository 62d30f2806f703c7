#!/bin/bash
# atom_contract.sh: what ATOM's manual page promises: order and scopes, returns and ends that are none, fork, copies of
# arguments, the cycle counter. The numbers were worked out by hand from tests/hatch/contract/contract.c.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/contract/* "$scratch"
cd "$scratch"
ulimit -c 0
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax contract.c -o contract
begins='program 1
program 2
object 1
object 2
proc 1
proc 2
block 1
block 2
inst 1
inst 2'
# ends LEAVES OF EXIT
ends() {
    printf '%s\n' "object after" "program after" "First first later main nine constant" "bbc 2 2 3 -1 0 70 7 42 wxyz" \
        "x 255 -1 2147483647 -1 1099511627776" \
        "several returns 9, leaves $1 of $2, longjmp 1 and 0, exit $3 and 0, cycles go on"
}
own='sum 45
the program'"'"'s last words'
for options in "" --call=wrapper --copy=all --copy=sparse; do
    # shellcheck disable=SC2086
    if ! "$ATOMC" contract contract.inst.c contract.anal.c $options -o contract.atom >log 2>&1 || [ -s log ]; then
        failed "contract$options" "atomc failed" log
        continue
    fi
    for way in return exit fork; do
        status=0 wanted=0
        {
            echo "$begins"
            case $way in
            return) echo "$own" && ends 1 2 0 ;;
            exit) echo "$own" && ends 1 3 1 ;;
            fork) ends 1 2 0 && echo "$own" && ends 1 2 0 ;; # the child, whose main returns, then the parent
            esac
        } >expected
        [ $way != exit ] || wanted=5
        "$QEMU" contract.atom $way >found 2>&1 || status=$?
        if [ $status = $wanted ] && diff expected found >difference; then
            passed "contract$options/$way"
        else
            failed "contract$options/$way" "status $status, or not what is promised (<)" difference
        fi
    done
done
# 12 notes, 9 returns of several, 2 calls and 1 return of leaves, 1 call of longjmp.
"$ATOMC" contract contract.inst.c local.anal.c -o local.atom >log 2>&1 && "$QEMU" local.atom | tail -n 1 >found
if [ "$(cat found)" = "25 30" ]; then passed contract/local; else failed contract/local "variables of threads are wrong" found; fi
# What is const cannot be written: the analysis code crashes.
for word in "" array; do
    "$ATOMC" contract const.inst.c const.anal.c -toolargs="$word" -o const.atom >log 2>&1 || failed contract/const "atomc failed" log
    status=0
    { "$QEMU" const.atom >found 2>&1 || status=$?; } 2>/dev/null
    if [ $status = 139 ] && grep -q "the analysis code crashed with signal 11 in Write" found; then
        passed "contract/const-$word"
    else
        failed "contract/const-$word" "status $status: it could be written, or nobody said so" found
    fi
done
exit "$((failures > 0))"
