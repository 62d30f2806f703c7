# classes.awk: of each instruction, by objdump's mnemonic: address, class, which of ATOM's types it has (N for nop: several
# mnemonics hide that one).
{
    m = $2
    c = 14
    if (m ~ /^(ldbu|ldwu|ldl|ldq|ldq_u|ldl_l|ldq_l|unop)$/) c = 0
    else if (m ~ /^ld[fgst]$/) c = 1
    else if (m ~ /^(st[bwlq]|stq_u|st[lq]_c)$/) c = 2
    else if (m ~ /^st[fgst]$/) c = 3
    else if (m ~ /^(br|b(eq|ne|lt|le|gt|ge|lbc|lbs))$/) c = 4
    else if (m ~ /^fb/) c = 5
    else if (m ~ /^(bsr|jsr|jmp|ret|jsr_coroutine|jcr)$/) c = 6
    else if (m ~ /^(lda|ldah|(s[48])?(add|sub)[lq](\/v)?|neg[lq](\/v)?|sextl|ct(pop|lz|tz)|sext[bw]|ftoi[st]|perr|(min|max)[su].*|(un)?pk.*)$/) c = 7
    else if (m ~ /^mull/) c = 8
    else if (m ~ /^(mulq|umulh)/) c = 9
    else if (m ~ /^(and|bic|andnot|bis|or|ornot|not|xor|eqv|xornot|mov|clr|nop|amask|implver)$/) c = 10
    else if (m ~ /^(sll|srl|sra|(ext|ins|msk)[bwlq][lh]|zap|zapnot)$/) c = 11
    else if (m ~ /^cmov/) c = 12
    else if (m ~ /^cmp(eq|lt|le|ult|ule|bge)$/) c = 13
    else if (m ~ /^div[sf]/) c = 15
    else if (m ~ /^div[tg]/) c = 16
    else if (m ~ /^(callsys|rduniq|wruniq|bpt|bugchk|gentrap|imb|halt|call_pal|\.long)/) c = 17
    else if (m ~ /^(mb|wmb|trapb|excb|rpcc|rc|rs|wh64en)$/) c = 17
    else if (m ~ /^(fetch|fetch_m|ecb|wh64)$/) c = 18
    floating = c == 1 || c == 3 || c == 5 || (c >= 14 && c <= 16)
    computes = c >= 7 && c <= 16 && m !~ /^(lda|(add|sub|mul|div)[fg])/
    # In the order of InstTypeLoad, Store, Jump, FP, Int, Div, Mul, Add, Sub, CondBr, UncondBr, Mem, Nop, Ret.
    types = (c < 2) "" (c == 2 || c == 3) "" (m ~ /^(jsr|jmp|ret|jsr_coroutine|jcr)$/) "" floating "" !floating \
        "" (computes && m ~ /^div/) "" (computes && m ~ /^(mul|umulh)/) "" (computes && m ~ /^(s[48])?add|^sextl$/) \
        "" (computes && m ~ /^((s[48])?sub|neg[lq])/) "" (c == 5 || (c == 4 && m != "br")) "" (m == "br") "" (c < 4 && m != "unop" || c == 18) \
        "" "N" (m == "ret")
    print $1, c, types
}
