# ev4.awk: cycles of basic blocks on a 21064, apart from engine/pipeline.c: cycle by cycle, from objdump's text, with the
# manual's table of latencies written out. Use: awk -f ev4.awk BLOCKS TEXT COUNTS
#   BLOCKS  ADDRESS <tab> INSTRUCTIONS <tab> PROCEDURE, a line for each block
#   TEXT    alpha-linux-gnu-objdump -d --no-show-raw-insn
#   COUNTS  the oracle's: ADDRESS <tab> WORD <tab> EXECUTIONS ...
# Prints PROCEDURE <tab> INSTRUCTIONS <tab> CYCLES <tab> STALLS of the run, for procedures that executed.
BEGIN {
    FS = "\t"
    # Rows: who needs it. Columns: who makes it. ST and FST: what is stored; its address is like an LD's.
    header("LD ADD SHIFT CMP MULL MULQ FP DIVS DIVT")
    row("LD 3 2 2 2 21 23 6 34 63")
    row("ST 3 0 0 0 20 22 4 32 61")
    row("FST 3 0 0 0 20 22 4 32 61")
    row("IBR 3 1 2 1 21 23 6 34 63")
    row("FBR 3 2 2 2 21 23 6 34 63")
    row("JSR 3 2 2 2 21 23 6 34 63")
    row("ADD 3 1 2 2 21 23 6 34 63")
    row("SHIFT 3 1 2 2 21 23 6 34 63")
    row("CMP 3 1 2 2 21 23 6 34 63")
    row("MULL 3 1 2 2 21 23 6 34 63")
    row("MULQ 3 1 2 2 21 23 6 34 63")
    row("FP 3 2 2 2 21 23 6 34 63")
    row("DIVS 3 2 2 2 21 23 6 34 63")
    row("DIVT 3 2 2 2 21 23 6 34 63")
    row("ETC 3 2 2 2 21 23 6 34 63")
    buses("LD 01", "ST 1", "FST 0", "IBR 1", "FBR 0", "JSR 1", "ADD 0", "SHIFT 0")
    buses("CMP 0", "MULL 0", "MULQ 0", "FP 1", "DIVS 1", "DIVT 1", "ETC 1", "PAL -")
    boxes("LD A", "ST A", "FST A", "IBR B", "FBR B", "JSR B", "ADD E", "SHIFT E")
    boxes("CMP E", "MULL E", "MULQ E", "FP F", "DIVS F", "DIVT F", "ETC A", "PAL -")
}
function header(text) { columns = split(text, makers, " ") }
function row(text, f, i) { split(text, f, " "); for (i = 1; i <= columns; i++) latency[makers[i], f[1]] = f[i + 1] }
function buses(a, b, c, d, e, f, g, h) { pair(bus, a); pair(bus, b); pair(bus, c); pair(bus, d); pair(bus, e); pair(bus, f); pair(bus, g); pair(bus, h) }
function boxes(a, b, c, d, e, f, g, h) { pair(box, a); pair(box, b); pair(box, c); pair(box, d); pair(box, e); pair(box, f); pair(box, g); pair(box, h) }
function pair(table, text, f) { split(text, f, " "); table[f[1]] = f[2] }

FILENAME == ARGV[1] {
    blocks++
    start[blocks] = substr($1, 3); size[blocks] = $2; owner[blocks] = $3
    next
}
FILENAME == ARGV[2] {
    if (match($0, /^ *[0-9a-f]+:/)) {
        address = substr($0, 1, RLENGTH - 1)
        gsub(/ /, "", address)
        number[address] = ++lines
        mnemonic[lines] = $2
        operands[lines] = $3
        half[lines] = address ~ /[4c]$/
    }
    next
}
/^0x/ { executed[substr($1, 3)] = $3 }

function kind(m) {
    sub(/\/.*/, "", m)
    if (m ~ /^(ld(bu|wu|l|q|q_u|l_l|q_l|s|t|f|g)|unop)$/) return "LD"
    if (m ~ /^st[stfg]$/) return "FST"
    if (m ~ /^st/) return "ST"
    if (m ~ /^b(eq|ne|lt|le|gt|ge|lbc|lbs)$/) return "IBR"
    if (m ~ /^fb(eq|ne|lt|le|gt|ge)$/) return "FBR"
    if (m ~ /^(br|bsr|jmp|jsr|ret|jsr_coroutine)$/) return "JSR"
    if (m ~ /^(sll|srl|sra|zap|zapnot|sextb|sextw|cmov.*)$/ || m ~ /^(ext|ins|msk)[bwlq][lh]$/) return "SHIFT"
    if (m ~ /^cmp(eq|lt|le|ult|ule|bge)$/) return "CMP"
    if (m == "mull") return "MULL"
    if (m == "mulq" || m == "umulh") return "MULQ"
    if (m ~ /^(div|sqrt)[sf]$/) return "DIVS"
    if (m ~ /^(div|sqrt)[tg]$/) return "DIVT"
    if (m ~ /^(lda|ldah|and|andnot|bic|bis|or|ornot|xor|xornot|eqv|not|mov|clr|nop|neg[lq]|sextl|amask|implver)$/ ||
        m ~ /^(s[48])?(add|sub)[lq]$/ || m ~ /^(ct(pop|lz|tz)|perr|u?n?pk[bwl]+|(min|max)[su][bw][48])$/) return "ADD"
    if (m ~ /^(callsys|rduniq|wruniq|imb|bpt|bugchk|gentrap|call_pal|halt|draina|cflush|cserve)/) return "PAL"
    if (m ~ /^(mb|wmb|trapb|excb|fetch|fetch_m|rpcc|rc|rs|ecb|wh64|wh64en)$/) return "ETC"
    if (m ~ /^(add|sub|mul|neg|cmp|cvt|cpys|f|itof|ftoi|m[tf]_fpcr)/) return "FP"
    return "ETC"
}

# What line n reads, and as what, in needs[]; what it writes, in makes.
function look(n, m, k, f, count, i, base) {
    m = mnemonic[n]
    sub(/\/.*/, "", m)
    k = kind(m)
    delete needs
    makes = ""
    count = split(operands[n], f, ",")
    for (i = 1; i <= count; i++) sub(/ .*/, "", f[i])
    if (m == "unop") { need("sp", "LD"); return k }
    if (m == "ret" && operands[n] == "") { need("ra", "JSR"); return k }
    if (k == "PAL" || operands[n] == "") return k
    if (match(operands[n], /\([a-z0-9]+\)/)) base = substr(operands[n], RSTART + 1, RLENGTH - 2)
    if (k == "LD" || m ~ /^lda/) { need(base, k); makes = f[1] }
    else if (k == "ST" || k == "FST") {
        need(f[1], k)
        need(base, "LD")
        if (m ~ /_c$/) makes = f[1]
    }
    else if (k == "IBR" || k == "FBR") need(f[1], k)
    else if (k == "JSR") need(base, k)
    else if (k == "ETC") { need(base, k); if (m ~ /^r(pcc|c|s)$/) makes = f[1] }
    else {
        makes = f[count]
        for (i = 1; i < count; i++) need(f[i], k)
        if (m ~ /^f?cmov/) need(makes, k)
        if (m == "mt_fpcr") { need(makes, k); makes = "" }
    }
    if (!is_register(makes)) makes = ""
    return k
}
function is_register(text) { return text ~ /^([vtsa][0-9]+|fp|ra|at|gp|sp|pv|\$f[0-9]+)$/ && text != "$f31" }
# An address counts for more than data.
function need(reg, as) { if (is_register(reg) && !((reg in needs) && as != "LD")) needs[reg] = as }
function general(k) { return k == "ST" || k == "FST" || k == "ETC" || k == "JSR" ? 3 : k ~ /BR$/ ? 0 : latency[k, "LD"] }
function made(k) { return k == "ST" || k == "FST" || k == "ETC" || k == "JSR" ? "LD" : k }

# Can line n, of kind k, be issued in cycle t?
function ready(n, k, t, reg, m) {
    m = mnemonic[n]
    if (k == "PAL" || m == "trapb" || m == "excb") {
        for (reg in when) if (t < when[reg] + general(what[reg])) return 0
        for (reg in lost) if (t < lost[reg]) return 0
    } else
        for (reg in needs)
            if ((reg in when) && t < when[reg] + latency[made(what[reg]), needs[reg]]) return 0
    if (makes != "" && (makes in when) && t + general(k) <= when[makes] + general(what[makes])) return 0
    if ((k == "MULL" || k == "MULQ") && t < multiplier || (k == "DIVS" || k == "DIVT") && t < divider) return 0
    if ((k == "ADD" || k == "SHIFT" || k == "CMP") && (t in no_integer) || k == "FP" && (t in no_float)) return 0
    return 1
}
function issue(k, t) {
    if (k == "PAL") { delete when; delete lost }
    if (makes != "") {
        if (makes in when) lost[++losses] = when[makes] + general(what[makes])
        when[makes] = t; what[makes] = k
    }
    if (k == "MULL") { multiplier = t + 19; no_integer[t + 19] }
    if (k == "MULQ") { multiplier = t + 21; no_integer[t + 21] }
    if (k == "DIVS") { divider = t + 30; no_float[t + 29]; no_float[t + 30] }
    if (k == "DIVT") { divider = t + 59; no_float[t + 58]; no_float[t + 59] }
}
function together(a, b) {
    return a != "PAL" && b != "PAL" && box[a] != box[b] && (bus[a] == "01" || bus[b] == "01" || bus[a] != bus[b])
}
# The cycles of lines first to last; empty ones in `empty`.
function simulate(first, last, n, t, k, before) {
    delete when; delete what; delete lost; delete no_integer; delete no_float
    multiplier = divider = losses = empty = 0
    n = first
    for (t = 0; n <= last; t++) {
        k = look(n)
        if (!ready(n, k, t)) { empty++; continue }
        issue(k, t)
        before = k
        n++
        if (n <= last && half[n]) {
            k = look(n)
            if (together(before, k) && ready(n, k, t)) { issue(k, t); n++ }
        }
    }
    return t
}
END {
    for (b = 1; b <= blocks; b++) {
        times = executed[start[b]]
        if (!times) continue
        first = number[start[b]]
        instructions[owner[b]] += times * size[b]
        cycles[owner[b]] += times * simulate(first, first + size[b] - 1)
        stalls[owner[b]] += times * empty
    }
    for (p in cycles) printf "%s\t%.0f\t%.0f\t%.0f\n", p, instructions[p], cycles[p], stalls[p]
}
