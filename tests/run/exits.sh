#!/bin/bash
# exits.sh: a procedure is left as often as it is entered, whichever way: return, branch, conditional branch, jump.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/ways.s" <<'END'
        .set    noat
        .section .note.GNU-stack, "", @progbits
        .text
        .globl  leaf
        .ent    leaf
leaf:   addq    $16, 1, $0
        ret     $31, ($26), 1
        .end    leaf
        .globl  ways
        .ent    ways
ways:   and     $16, 3, $1              # 0: conditional branch, 1: branch, 2: jump, 3: return
        beq     $1, leaf
        cmpeq   $1, 1, $2
        bne     $2, 1f
        cmpeq   $1, 2, $2
        bne     $2, 2f
        mov     $16, $0
        ret     $31, ($26), 1
1:      br      $31, leaf
2:      mov     $17, $27
        jmp     $31, ($27), 0
        .end    ways
END
cat >"$scratch/main.c" <<'END'
#include <stdio.h>
long leaf(long), ways(long, long (*)(long));
int main(void) {
    long sum = 0;
    for (long i = 0; i < 1000; i++)
        sum += ways(i, leaf);
    printf("%ld\n", sum);
    return 0;
}
END
cat >"$scratch/exits.atd" <<'END'
tool exits "entries and exits"
set own = proc p where p.name == "ways" or p.name == "leaf"
counter entered[own], left[own]
for p in own {
    before p    entered[p]++
    after p     left[p]++
}
report "-" for p in own "Procedure" p.name, "Entered" entered[p], "Left" left[p]
END
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax "$scratch/main.c" "$scratch/ways.s" -o "$scratch/plain"
"$ATOMC" "$scratch/exits.atd" "$scratch/plain" -o "$scratch/instrumented" >"$scratch/log" 2>&1 || true
printf '500250\nProcedure\tEntered\tLeft\nleaf\t750\t750\nways\t1000\t1000\n' >"$scratch/expected"
"$QEMU" "$scratch/instrumented" >"$scratch/found" 2>&1 || true
if cmp -s "$scratch/expected" "$scratch/found"; then
    passed exits/all-ways
else
    failed exits/all-ways "not entered and left alike" "$scratch/found"
fi
