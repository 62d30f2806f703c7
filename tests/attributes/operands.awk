# operands.awk: what each instruction reads and writes, and computes, from the text of objdump -d. Prints
# PC WORD TARGET add sub mul div, and reads and writes of v0 a1 sp ra $f10, whether it jumps through a register, and
# the literal or -1.
function add_registers(text, set,    part, n, i) {
    n = split(text, part, /[(),]+/)
    for (i = 1; i <= n; i++) set[part[i]] = 1
}
function flag(set, name) { return (name in set) ? 1 : 0 }
BEGIN { FS = "\t" }
/^ *[0-9a-f]+:\t/ {
    pc = $1
    gsub(/[ :]/, "", pc)
    split($2, byte, " ")
    word = byte[4] byte[3] byte[2] byte[1]
    name = $3
    operands = $4
    sub(/ *<.*/, "", operands)
    sub(/ *#.*/, "", operands)
    split("", read)
    split("", written)
    base = name
    sub(/\/.*/, "", base)
    n = split(operands, part, ",")
    target = "0x0"
    if (base ~ /^(ld[bwlqstfg]u?|ld[lq]_[lu]|ldbu|ldwu|lda|ldah)$/) {
        written[part[1]] = 1
        add_registers(substr(operands, index(operands, ",") + 1), read)
    } else if (base ~ /^st[bwlqstfg](_[ucl])?$/) {
        add_registers(operands, read)
        if (base ~ /_c$/) written[part[1]] = 1
    } else if (base ~ /^f?b(eq|ne|lt|le|gt|ge|lbc|lbs)$/) {
        read[part[1]] = 1
        target = part[n]
    } else if (base ~ /^(br|bsr)$/) {
        if (n > 1) written[part[1]] = 1
        target = part[n]
    } else if (base ~ /^(jmp|jsr|ret|jsr_coroutine)$/) {
        # ret alone: through ra
        if (operands == "") read["ra"] = 1
        for (i = 1; i <= n; i++) if (part[i] ~ /^\(/) add_registers(part[i], read); else if (i == 1 && part[i] != "zero") written[part[i]] = 1
    } else if (base ~ /^(callsys|bugchk|bpt|gentrap|imb|rduniq|wruniq|call_pal|halt|\.long|unop|nop|fnop|mb|wmb|trapb|excb)$/) {
        # what PALcode does is in no operand
        if (base == "callsys") { read["v0"] = read["a1"] = written["v0"] = 1 }
        if (base == "rduniq") written["v0"] = 1
        if (base ~ /^(call_pal|halt|\.long|bugchk|bpt)$/) next
    } else if (base ~ /^(rpcc|rs|rc|implver)$/) {
        written[part[n]] = 1
    } else if (base ~ /^(clr|fclr)$/) {
        written[part[1]] = 1
    } else if (base ~ /^(fetch|fetch_m|ecb|wh64)$/) {
        add_registers(operands, read)
    } else if (base ~ /^mt_fpcr$/) {
        read[part[1]] = 1
    } else if (base ~ /^mf_fpcr$/) {
        written[part[1]] = 1
    } else {
        for (i = 1; i < n; i++) read[part[i]] = 1
        written[part[n]] = 1
        if (base ~ /cmov/) read[part[n]] = 1
    }
    if (target ~ /^[0-9a-f]+$/) target = "0x" target
    sub(/^0+/, "", word)
    printf "0x%s\t0x%s\t%s", pc, word == "" ? 0 : word, target
    printf "\t%d\t%d\t%d\t%d", base ~ /^(s[48])?add[lqfgst]$|^sextl$/, base ~ /^(s[48])?sub[lqfgst]$|^neg[lqst]$/,
        base ~ /^(mul[lqfgst]|umulh)$/, base ~ /^div[fgst]$/
    printf "\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d", flag(read, "v0"), flag(written, "v0"), flag(read, "a1"), flag(written, "a1"),
        flag(read, "sp"), flag(written, "sp"), flag(read, "ra"), flag(written, "ra"), flag(read, "$f10"), flag(written, "$f10")
    printf "\t%d", base ~ /^(jmp|jsr|ret|jsr_coroutine)$/
    # the literal is the operand before the last; negq, sextl and the like have it first
    literal = -1
    if (n > 1 && base !~ /^(ld|st|f?b(eq|ne|lt|le|gt|ge|lbc|lbs)$|br$|bsr$|jmp|jsr|ret|call_pal)/ && part[n - 1] ~ /^0(x[0-9a-f]+)?$/)
        literal = part[n - 1] == "0" ? 0 : index("0123456789abcdef", substr(part[n - 1], 3, 1)) - 1
    if (literal != -1 && length(part[n - 1]) == 4) literal = 16 * literal + index("0123456789abcdef", substr(part[n - 1], 4, 1)) - 1
    printf "\t%d\n", literal
}
