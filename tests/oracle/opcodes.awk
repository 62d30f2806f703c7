# opcodes.awk: how many instructions of each mnemonic and class were executed, from objdump's names, apart from codegen/.
# Use: awk -f opcodes.awk COUNTS TEXT; COUNTS: ADDRESS <tab> WORD <tab> EXECUTIONS; TEXT: ADDRESS <tab> MNEMONIC
# Prints `opcode NAME CLASS COUNT` and `class CLASS COUNT`.
BEGIN {
    FS = "\t"
    # What objdump writes for some operands of an instruction.
    alias("bis", "nop mov clr or"); alias("ldq_u", "unop"); alias("bic", "andnot"); alias("ornot", "not"); alias("eqv", "xornot")
    alias("subl", "negl"); alias("subq", "negq"); alias("subl/v", "negl/v"); alias("subq/v", "negq/v"); alias("addl", "sextl")
    alias("cpys", "fnop fmov fclr fabs"); alias("cpysn", "fneg")
    alias("call_pal", "callsys rduniq wruniq imb bpt bugchk gentrap halt")
}
function alias(name, others, f, n, i) { n = split(others, f, " "); for (i = 1; i <= n; i++) canonical[f[i]] = name }
function class(m) {
    sub(/\/.*/, "", m)
    if (m ~ /^ld(bu|wu|l|q|q_u|l_l|q_l)$/) return "load"
    if (m ~ /^ld[fgst]$/) return "fload"
    if (m ~ /^st[fgst]$/) return "fstore"
    if (m ~ /^st(b|w|l|q|q_u|l_c|q_c)$/) return "store"
    if (m ~ /^ldah?$|^lda$/) return "address"
    if (m ~ /^f?b(eq|ne|lt|le|gt|ge|lbc|lbs)$/) return "condbr"
    if (m == "br") return "uncondbr"
    if (m ~ /^(bsr|jsr|jsr_coroutine)$/) return "call"
    if (m == "jmp") return "jump"
    if (m == "ret") return "return"
    if (m ~ /^(mull|mulq|umulh)$/) return "mul"
    if (m ~ /^(s[48])?(add|sub)[lq]$/ || m ~ /^ct|^perr$|^u?n?pk|^(min|max)[su]/) return "arith"
    if (m ~ /^(and|bic|bis|ornot|xor|eqv|amask|implver)$/) return "logical"
    if (m ~ /^(s[rl][al]|zap|zapnot|sextb|sextw)$/ || m ~ /^(ext|ins|msk)[bwlq][lh]$/) return "shift"
    if (m ~ /^cmov/) return "condmove"
    if (m ~ /^cmp(eq|lt|le|ult|ule|bge)$/) return "compare"
    if (m ~ /^(div|sqrt)[fgst]$/) return "fdiv"
    if (m == "call_pal") return "pal"
    if (m ~ /^(mb|wmb|trapb|excb|fetch|fetch_m|rpcc|rc|rs|ecb|wh64|wh64en)$/) return "misc"
    return m ~ /^(add|sub|mul|cmp|cvt|cpys|f|itof|m[tf]_fpcr)/ ? "float" : "unknown"
}
NR == FNR { executed[$1] = $3; next }
executed[$1] > 0 {
    name = $2
    # negt/su, negs: a subtraction from $f31.
    if (name ~ /^neg[fgst]/) sub(/^neg/, "sub", name)
    sub(/ .*/, "", name)
    if (name in canonical) name = canonical[name]
    opcodes[name] += executed[$1]
    classes[class(name)] += executed[$1]
}
END {
    for (name in opcodes) printf "opcode\t%s\t%s\t%.0f\n", name, class(name), opcodes[name]
    for (name in classes) printf "class\t%s\t%.0f\n", name, classes[name]
}
