# selftest.S: a program whose counts are known: each instruction is followed by executed, taken, not taken, redundant.
# Requires: alpha-linux-gnu-gcc -nostdlib -static; tests/run/oracle.sh compares the comments with the oracle.
        .set    noat
        .set    noreorder
        .set    nomacro
        .arch   ev6
        .text
        .globl  _start
_start:
        lda     $1, 10($31)                     # 1 - - -
loop:
        subq    $1, 1, $1                       # 10 - - -
        bne     $1, loop                        # 10 9 1 -
        beq     $1, next                        # 1 1 0 -
        halt                                    # 0 - - -
next:
        beq     $31, same                       # 1 1 0 -
same:
        bne     $31, other                      # 1 0 1 -
other:
        blbs    $1, loop                        # 1 0 1 -
        lda     $30, -64($30)                   # 1 - - -
        lda     $2, -2($31)                     # 1 - - -
        blt     $2, negative                    # 1 1 0 -
        halt                                    # 0 - - -
negative:
        bgt     $2, loop                        # 1 0 1 -
        bge     $2, loop                        # 1 0 1 -
        ble     $2, stores                      # 1 1 0 -
        halt                                    # 0 - - -
stores:
        stq     $2, 0($30)                      # 1 - - -
        stl     $2, 8($30)                      # 1 - - -
        stb     $2, 16($30)                     # 1 - - -
        lda     $3, 3($31)                      # 1 - - -
loads:
        ldq     $4, 0($30)                      # 3 - - 2
        ldl     $2, 8($30)                      # 3 - - 3
        ldbu    $5, 16($30)                     # 3 - - 2
        ldq_u   $6, 3($30)                      # 3 - - 2
        ldwu    $7, 2($30)                      # 3 - - 2
        ldq     $31, 0($30)                     # 3 - - -
        ldt     $f2, 0($30)                     # 3 - - 2
        lds     $f3, 8($30)                     # 3 - - 2
        ldq     $3, 24($30)                     # 3 - - 0
        stq     $3, 24($30)                     # 3 - - -
        addq    $8, 1, $8                       # 3 - - -
        lda     $3, 3($31)                      # 3 - - -
        subq    $3, $8, $3                      # 3 - - -
        bne     $3, loads                       # 3 2 1 -
again:
        ldl_l   $9, 32($30)                     # 1 - - 1
        addq    $9, 1, $9                       # 1 - - -
        stl_c   $9, 32($30)                     # 1 - - -
        beq     $9, again                       # 1 0 1 -
        cpysn   $f31, $f31, $f1                 # 1 - - -
        fbeq    $f1, zero                       # 1 1 0 -
        halt                                    # 0 - - -
zero:
        fblt    $f1, again                      # 1 0 1 -
        fbne    $f1, again                      # 1 0 1 -
        fbge    $f1, positive                   # 1 1 0 -
        halt                                    # 0 - - -
positive:
        fbgt    $f2, again                      # 1 0 1 -
        br      $26, last                       # 1 - - -
        halt                                    # 0 - - -
last:
        lda     $16, 7($31)                     # 1 - - -
        lda     $0, 405($31)                    # 1 - - -
        callsys                                 # 1 - - -
