#!/bin/bash
# after.sh: $addr after a load is what it was before it, also where the load overwrites its own base register; what is
# left out is said, and an error with --strict.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
programs=$PWD/tests/programs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/sum.atd" <<'END'
tool sum "addresses of loads, before and after them"
counter before_sum, after_sum, own
for i in insts where i.is_load and not i.is_locked {
    before i    before_sum += $addr * 3 + i.id
    after i     after_sum += $addr * 3 + i.id
    before i when i.ra == i.rb  own++
}
report "sum.out" "before" before_sum, "after" after_sum, "own" own
END
sed -i 's/i\.id/i.pc/' "$scratch/sum.atd"
for name in bzip2 lua; do
    program=$("$programs/build.sh" $name O2) || {
        skipped "after/$name" "no source"
        continue
    }
    cd "$scratch"
    if ! "$ATOMC" --strict sum.atd "$program" -o sum >log 2>&1; then
        failed "after/$name" "atomc failed" log
    else
        arguments=(-e 'local t = {} for i = 1, 20000 do t[i] = {i} end print(#t)')
        [ $name = lua ] || arguments=(-c sum.atd)
        "$QEMU" ./sum "${arguments[@]}" >/dev/null
        if awk 'NR == 2 { good = $1 == $2 && $1 != 0 && $3 > 1000 } END { exit !good }' sum.out; then
            passed "after/$name"
        else
            failed "after/$name" "the sums differ, or no load overwrites its base" sum.out
        fi
    fi
    cd - >/dev/null
done

# Between load-locked and store-conditional nothing can be put, and the value is gone behind them.
cat >"$scratch/locked.s" <<'END'
        .text
        .globl  main
        .ent    main
main:   lda     $1, -16($30)
        stq     $31, 0($1)
1:      ldq_l   $2, 0($1)
        addq    $2, 1, $2
        stq_c   $2, 0($1)
        beq     $2, 1b
        mov     0, $0
        ret     $31, ($26), 1
        .end    main
        .section .note.GNU-stack, "", @progbits
END
cat >"$scratch/locked.atd" <<'END'
tool locked "the value of a load-locked"
counter sum
for p in procs where p.name == "main" {
    for i in p.insts where i.mnemonic == "ldq_l" {
        after i     sum += $(i.ra)
    }
}
report "locked.out" "Sum" sum
END
cd "$scratch"
alpha-linux-gnu-gcc -static -Wl,--no-relax locked.s -o locked-plain
for flag in "" --strict; do
    status=0
    rm -f locked
    # shellcheck disable=SC2086
    "$ATOMC" $flag locked.atd locked-plain -o locked >out 2>&1 || status=$?
    if [ -z "$flag" ]; then
        wanted="warning: 1 calls or updates are left out" good=$([ $status = 0 ] && [ -e locked ] && echo yes)
    else
        wanted="error: 1 calls or updates cannot be made" good=$([ $status = 1 ] && [ ! -e locked ] && echo yes)
    fi
    if [ "$good" = yes ] && grep -q "^locked.atd:5:9: $wanted: between load-locked and store-conditional" out; then
        passed "after/locked$flag"
    else
        failed "after/locked$flag" "exit status $status" out
    fi
done
