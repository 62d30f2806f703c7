#!/bin/bash
# far.sh: a program whose copies reach beyond a branch's 4 MB: calls and conditional branches between far procedures.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# 2,500 procedures full of loads and stores; each may go on in the tail of another one by a conditional branch.
awk -v procedures=2500 'BEGIN {
    print "\t.section .note.GNU-stack,\"\",@progbits\n\t.set noat\n\t.text\n\t.globl run\n\t.ent run\nrun:\n\t.frame $30,16,$26\n\tlda $30,-16($30)\n\tstq $26,0($30)"
    for (i = 0; i < procedures; i++) printf "\tbsr $26,f%d\n", (i * 1237) % procedures
    print "\tmov $16,$0\n\tldq $26,0($30)\n\tlda $30,16($30)\n\tret $31,($26),1\n\t.end run"
    for (i = 0; i < procedures; i++) {
        printf "\t.ent f%d\nf%d:\n", i, i
        for (k = 0; k < 60; k++)
            printf "\tldq $%d,%d($17)\n\taddq $16,$%d,$16\n\tstq $16,%d($17)\n", k % 8 + 1, 8 * ((i + k * 7) % 100), k % 8 + 1, 8 * ((i * 3 + k) % 100)
        printf "\tsrl $16,%d,$1\n\tblbs $1,g%d\n\tret $31,($26),1\ng%d:\n\txor $16,%d,$16\n\tret $31,($26),1\n\t.end f%d\n", i % 40, (i + 1250) % procedures, i, i % 256, i
    }
}' >"$scratch/far.s"
cat >"$scratch/main.c" <<'EOF'
#include <stdio.h>
long run(long, long *);
int main(void) {
    long cells[100];
    for (int i = 0; i < 100; i++)
        cells[i] = i * 7919;
    printf("%lx\n", run(12345, cells));
    return 0;
}
EOF
alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax "$scratch/main.c" "$scratch/far.s" -o "$scratch/plain"
"$QEMU" -0 far "$scratch/plain" >"$scratch/expected"

for tool in audit cache; do
    "$ATOMC" -v --no-observations -t $tool "$scratch/plain" -o "$scratch/$tool" >"$scratch/$tool.log" 2>&1 || true
    if ! (cd "$scratch" && "$QEMU" -0 far "./$tool") >"$scratch/found" 2>&1 || ! cmp -s "$scratch/expected" "$scratch/found"; then
        failed "far/$tool" "not the uninstrumented program's output" "$scratch/found"
    elif ! grep -q 'far branches  *[1-9]' "$scratch/$tool.log"; then
        failed "far/$tool" "no branch was far" "$scratch/$tool.log"
    else
        passed "far/$tool"
    fi
done
# audit reads every register, so that none is free if these are kept everywhere: its far branches go over the stack.
if [ "$(sed -n 's/^  far branches  *//p' "$scratch/audit.log")" = "$(tail -n 12 "$scratch/audit.log" | sed -n 's/^    over the stack  *//p' | tail -n 1)" ]; then
    passed far/over-the-stack
else
    failed far/over-the-stack "far branches of audit that found a register" "$scratch/audit.log"
fi

# What is done on the way of a far branch: the procedures are left as often as they are entered.
cat >"$scratch/exits.atd" <<'END'
tool exits
set far = proc p where p.name ~ "^f[0-9]+$"
counter entered[far], left[far], odd
for p in far {
    before p            entered[p]++
    after p             left[p]++
    for i in p.insts where i.is_load or i.is_store { before i when $addr % 8 != 0 odd++, odd += $addr }
}
report "-" for p in far where entered[p] != left[p] "Name" p.name, "Entered" entered[p], "Left" left[p]
report "-" "Procedures" count(far), "Odd" odd
END
"$ATOMC" -v "$scratch/exits.atd" "$scratch/plain" -o "$scratch/exits" >"$scratch/exits.log" 2>&1 || true
(cd "$scratch" && "$QEMU" -0 far ./exits) >"$scratch/found" 2>&1 || true
printf 'Name\tEntered\tLeft\nProcedures\tOdd\n2500\t0\n' | cat "$scratch/expected" - >"$scratch/wanted"
if ! cmp -s "$scratch/wanted" "$scratch/found"; then
    failed far/exits "not left as often as entered" "$scratch/found"
elif ! grep -q 'far branches  *[1-9]' "$scratch/exits.log" || ! grep -q 'calls skipped  *0' "$scratch/exits.log"; then
    failed far/exits "no branch was far, or something was left out" "$scratch/exits.log"
else
    passed far/exits
fi

# A procedure that falls into the next one passes over what is put between them: the calls out of line that trace's code leaves to.
cat >"$scratch/falls.s" <<'END'
	.section .note.GNU-stack,"",@progbits
	.set noat
	.text
	.globl first
	.ent first
first:
	ldq $1,0($16)
	addq $1,1,$1
	stq $1,8($16)
	.end first
	.globl second
	.ent second
second:
	ldq $0,8($16)
	addq $0,$17,$0
	ret $31,($26),1
	.end second
END
cat >"$scratch/falls.c" <<'END'
#include <stdio.h>
long first(long *, long), second(long *, long);
int main(void) {
    long cells[2] = {41, 7}, sum = second(cells, 1);
    sum += first(cells, 100);
    printf("%ld %ld\n", sum, cells[1]);
    return 0;
}
END
alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax "$scratch/falls.c" "$scratch/falls.s" -o "$scratch/plain"
for tier in automatic wrapper; do
    option=
    [ $tier = automatic ] || option=--call=$tier
    # shellcheck disable=SC2086
    "$ATOMC" $option -v -t trace -D form=din "$scratch/plain" -o "$scratch/falls" >"$scratch/$tier.log" 2>&1 || true
    (ulimit -f 20000 && cd "$scratch" && timeout -s KILL 60 "$QEMU" -0 falls ./falls) >"$scratch/found" 2>&1 || true
    mv "$scratch/trace.out" "$scratch/$tier.trace" || true
    if [ "$(cat "$scratch/found")" != "150 42" ]; then
        failed "far/falls-$tier" "not the uninstrumented program's output" "$scratch/found"
    else
        passed "far/falls-$tier"
    fi
done
if ! cmp -s "$scratch/automatic.trace" "$scratch/wrapper.trace"; then
    failed far/falls "the traces differ"
elif ! grep -q 'with a call out of line  *[1-9]' "$scratch/automatic.log"; then
    failed far/falls "no call was out of line" "$scratch/automatic.log"
else
    passed far/falls
fi
