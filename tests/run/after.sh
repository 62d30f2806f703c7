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

# $old: what a register held is what a site before finds in it, for all instructions that write one; with threads, on
# the program's stack; in registers that liveness calls dead.
cat >"$scratch/old.atd" <<'END'
tool old "registers before and after"
counter before_sum, after_sum, changed
set writers = inst i where i.line > 0 and (i.class == arith or i.class == logical or i.class == shift or i.class == float) and not i.reads(sp) and not i.writes(sp)
for i in writers {
    before i    before_sum += $(i.rc) ^ i.pc
    after i     after_sum += $old(i.rc) ^ i.pc, changed += $old(i.rc) != $(i.rc)
}
set loads = inst i where i.line > 0 and i.is_load and not i.is_locked and not i.writes(sp)
for i in loads {
    before i    before_sum += $(i.ra) ^ i.pc
    after i     after_sum += $old(i.ra) ^ i.pc, changed += $old(i.ra) != $(i.ra)
}
report "old.out" "before" before_sum, "after" after_sum, "changed" changed
END
for name in bzip2 lua pbzip2; do
    program=$("$programs/build.sh" $name O2) || {
        skipped "after/old/$name" "no source"
        continue
    }
    cd "$scratch"
    for flag in "" --stack=program --stack=own --no-liveness; do
        # shellcheck disable=SC2086
        if ! "$ATOMC" --strict $flag old.atd "$program" -o old >log 2>&1; then
            failed "after/old/$name$flag" "atomc failed" log
            continue
        fi
        rm -f old.out
        case $name in
        lua) timeout 100 "$QEMU" ./old -e 'local s = 1 for i = 1, 20000 do s = s * 1.01 + i / 7 end print(s)' >/dev/null ;;
        *) timeout 100 "$QEMU" ./old -c old.atd >/dev/null ;;
        esac
        if awk 'NR == 2 { good = $1 == $2 && $1 != 0 && $3 > 1000 } END { exit !good }' old.out; then
            passed "after/old/$name$flag"
        else
            failed "after/old/$name$flag" "the sums differ, or nothing changes" old.out
        fi
    done
    cd - >/dev/null
done

printf 'tool t\ncounter n\nfor i in insts where i.class == call { after i n += $old(i.ra) }\n' >"$scratch/call.atd"
if "$ATOMC" "$scratch/call.atd" "$program" -o "$scratch/call" >"$scratch/log" 2>&1 ||
    ! grep -q "error: '\$old' is for instructions after which the next one executes, and at 0x" "$scratch/log"; then
    failed after/old/call "\$old after a call is not refused" "$scratch/log"
else
    passed after/old/call
fi

# The address register of a load that faults, its stack pointer, and where it goes on: with the stack pointer moved, as
# with threads when no register is free (here all are looked at).
cat >"$scratch/fault.c" <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
static long stack;
static void handler(int number, siginfo_t *information, void *context) {
    ucontext_t *state = context;
    (void)number;
    printf("fault at %p, stack %s\n", information->si_addr, state->uc_mcontext.sc_regs[30] == stack ? "kept" : "moved");
    state->uc_mcontext.sc_pc += 4;
    state->uc_mcontext.sc_regs[1] = 5;
}
static void *thread(void *argument) {
    register long value __asm__("$1");
    (void)argument;
    __asm__ volatile("stq $30,0(%1)\n\tldq $1,8($31)" : "=r"(value) : "r"(&stack) : "memory");
    printf("value %ld\n", value);
    return 0;
}
int main(void) {
    pthread_t id;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, 0);
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    return 0;
}
END
cd "$scratch"
alpha-linux-gnu-gcc -g -O1 -static -Wl,--no-relax -pthread fault.c -o fault-plain
"$QEMU" ./fault-plain >fault.expected
for flag in --no-liveness ""; do
    # shellcheck disable=SC2086
    "$ATOMC" --strict $flag --stack=program old.atd fault-plain -o fault >log 2>&1 || cat log
    timeout 20 "$QEMU" ./fault >fault.found || true
    if grep -q kept fault.expected && cmp -s fault.expected fault.found; then
        passed "after/fault$flag"
    else
        failed "after/fault$flag" "the handler sees another stack pointer, or control does not come back" fault.found
    fi
done
cd - >/dev/null

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
