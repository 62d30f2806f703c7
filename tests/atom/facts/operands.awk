# operands.awk: of each load and store, by objdump: address, displacement, number of its register and of its base register.
BEGIN {
    n = split("v0 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 fp a0 a1 a2 a3 a4 a5 t8 t9 t10 t11 ra t12 at gp sp zero", name, " ")
    for (i = 1; i <= n; i++) number[name[i]] = i - 1
    for (i = 0; i < 32; i++) number["$f" i] = 32 + i
}
$2 ~ /^(ld[bw]u|ld[lqfgst]|ldq_u|ld[lq]_l|st[bwlqfgst]|stq_u|st[lq]_c)$/ {
    split($3, operand, /[,()]/)
    print $1, operand[2], number[operand[1]], number[operand[3]]
}
