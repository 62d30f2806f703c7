# helpers.awk: assembly as people write it: helpers that are called directly, by bsr or br with any link, with arguments, results and
# registers that they keep as they like, several entries, local subroutines, tail calls; and callers of them that keep the standard.
# -v seed=N is which program; OUT.c, of -v out=OUT, is its main. The values are those that the machine computes: nothing is expected here.
function pick(n) { return int(rand() * n) }
function one_of(text, words, n) { n = split(text, words, " "); return words[1 + pick(n)] }
function say(text) { print "\t" text }

# ---- what a helper, entered at 0 or in its middle at 1, reads and sets ----
function reads(k, r, e) { for (e = 0; e <= entered; e++) if (set[k, e, r] < 2) input[k, e, r] = 1 }
function writes(k, r, surely, e) { for (e = 0; e <= entered; e++) if (set[k, e, r] < surely) set[k, e, r] = surely }
function does(k, j, at, surely, i, r) { # k goes to j
    for (i in all) if (input[j, at, all[i]]) reads(k, all[i])
    for (i in all) if (set[j, at, all[i]]) writes(k, all[i], set[j, at, all[i]] < surely ? set[j, at, all[i]] : surely)
}
function entry(j, at) { return at ? "h" j "_middle" : "h" j }
function other(L, r) { do r = one_of(pool); while (r == L); return r }
function compute(k, L, surely, d, a, b) {
    d = other(L); a = other(L); b = other(L)
    reads(k, a); reads(k, b)
    say(one_of("addq subq xor s4addq ornot") " $" a ",$" b ",$" d)
    writes(k, d, surely)
}
function free_of(k, j, at, L, t, tries) { # a register that j leaves alone
    for (tries = 0; tries < 40; tries++) { t = other(L); if (t != link[j] && !set[j, at, t] && !input[j, at, t]) return t }
    return ""
}
function step(k, L, what, r, j, at, t, label) {
    what = one_of("compute compute set perhaps call call call local loop saved float")
    label = "$" k "_" ++labels
    if (what == "compute") compute(k, L, 2)
    else if (what == "set") { r = other(L); say("lda $" r "," pick(1000) "($31)"); writes(k, r, 2) }
    else if (what == "perhaps") { r = other(L); reads(k, r); say(one_of("blbs blbc") " $" r "," label); compute(k, L, 1); print label ":" }
    else if (what == "loop") {
        t = other(L); say("lda $" t ",3($31)"); writes(k, t, 2); print label ":"
        do r = other(L); while (r == t)
        reads(k, r); say("addq $" r ",$" t ",$" r); writes(k, r, 2)
        say("subq $" t ",1,$" t); say("bne $" t "," label)
    } else if (what == "saved") {
        t = other(L); r = other(L)
        if (r == t) return
        reads(k, r)
        say("lda $30,-16($30)"); say("stq $" t ",0($30)"); say("addq $" r ",5,$" t); say("xor $" r ",$" t ",$" r)
        say("ldq $" t ",0($30)"); say("lda $30,16($30)"); writes(k, r, 2)
    } else if (what == "float") {
        t = one_of(floats); r = one_of(floats)
        reads(k, "f" t); say("cpys $f" t ",$f" t ",$f" r); writes(k, "f" r, 2)
    } else if (what == "local") {
        t = other(L); r = other(L)
        if (r == t) return
        say(one_of("bsr br") " $" t "," label "_in"); writes(k, t, 2)
        reads(k, r); writes(k, r, 2)
        behind = behind label "_in:\taddq $" r ",9,$" r "\n\tret $31,($" t "),1\n"
    } else if (k < helpers) {
        j = k + 1 + pick(helpers - k); at = pick(2)
        if (link[j] == L || set[j, at, L]) {
            t = free_of(k, j, at, L)
            if (t == "") return
            say("mov $" L ",$" t); writes(k, t, 2)
        } else t = ""
        if (link[j] != L) writes(k, link[j], 2)
        say(one_of("bsr bsr br") " $" link[j] "," entry(j, at))
        does(k, j, at, 2)
        if (t != "") say("mov $" t ",$" L)
    }
}
function helper(k, L, n, named, j) {
    L = link[k]; named = pick(3); behind = ""; entered = 0
    if (named) say(".ent h" k)
    say(".globl h" k); print "h" k ":"
    step(k, L)
    say(".globl h" k "_middle"); print "h" k "_middle:"
    entered = 1
    for (n = 1 + pick(5); n > 0; n--) step(k, L)
    j = k < helpers && k % 5 ? k + 1 : 0
    if (j && link[j] == L && pick(3)) {
        if (pick(2)) { n = other(L); reads(k, n); say("blbs $" n "," entry(j, 0)); does(k, j, 0, 1); say("ret $31,($" L "),1") }
        else { say("br $31," entry(j, 1)); does(k, j, 1, 2) }
    } else say("ret $31,($" L "),1")
    printf "%s", behind
    if (named) say(".end h" k)
}
# ---- callers ----
function keep(r) { say(r ~ /f/ ? "stt $" r "," 8 * values++ "($9)" : "stq $" r "," 8 * values++ "($9)") }
function give(r) { # a value to a register
    if (r ~ /f/) { say("lda $30,-16($30)"); say("stq $10,0($30)"); say("ldt $" r ",0($30)"); say("lda $30,16($30)") }
    else say("addq $10," pick(250) ",$" r)
    known[r] = 1
}
function caller(w, n, i, j, at, r) {
    say(".globl w" w); say(".ent w" w); print "w" w ":\tldgp $29,0($27)"
    say("lda $30,-32($30)"); say("stq $26,0($30)"); say("stq $9,8($30)"); say("stq $10,16($30)"); say("mov $16,$9"); say("mov $17,$10")
    delete known
    values = 0
    for (n = 2 + pick(4); n > 0; n--) {
        j = 1 + pick(helpers); at = pick(2)
        for (i = pick(8); i > 0; i--) give(pick(8) ? one_of(pool) : "f" one_of(floats))
        way = pick(4)
        if (way == 0) { say("lda $27," entry(j, at)); known["27"] = 1 }
        for (i in all) if (input[j, at, all[i]] && !(all[i] in known)) {
            if (way == 0 && all[i] == "27") continue
            give(all[i])
        }
        if (way == 0) say("jsr $" link[j] ",($27),0")
        else say((way == 1 ? "br" : "bsr") " $" link[j] "," entry(j, at))
        known[link[j]] = 1
        for (i in all) if (set[j, at, all[i]] == 2) known[all[i]] = 1
        for (i in all) if (all[i] in known && pick(3) == 0 && values < 60) keep(all[i])
        if (pick(4) == 0) delete known
    }
    say("mov $31,$0"); say("ldq $26,0($30)"); say("ldq $9,8($30)"); say("ldq $10,16($30)"); say("lda $30,32($30)"); say("ret"); say(".end w" w)
    counts = counts (w > 1 ? ", " : "") values
}
BEGIN {
    srand(seed)
    pool = "0 1 2 3 4 5 6 7 8 16 17 18 19 20 21 22 23 24 25 27 28"
    floats = "0 1 10 11 15 16 21 22 30"
    n = split(pool " 26", all, " ")
    m = split(floats, more, " ")
    for (i = 1; i <= m; i++) all[n + i] = "f" more[i]
    helpers = 12; callers = 10
    say(".set noat\n\t.set noreorder\n\t.section .note.GNU-stack,\"\",@progbits\n\t.text")
    for (k = 1; k <= helpers; k++) link[k] = one_of("26 26 26 26 23 25 28 27 7")
    for (k = helpers; k > 0; k--) helper(k)
    for (w = 1; w <= callers; w++) caller(w)
    print "#include <stdio.h>" >(out ".c")
    for (w = 1; w <= callers; w++) print "long w" w "(long *, long);" >(out ".c")
    printf "int main(void)\n{\n    static long (*const of[])(long *, long) = {" >(out ".c")
    for (w = 1; w <= callers; w++) printf "w%d, ", w >(out ".c")
    print "};\n    static const int counts[] = {" counts "};\n    static long values[80];" >(out ".c")
    print "    for (int w = 0; w < " callers "; w++)\n        for (long x = 0; x < 4; x++) {\n            of[w](values, x * 77 + w);" >(out ".c")
    print "            for (int i = 0; i < counts[w]; i++)\n                printf(\"%ld%c\", values[i], i + 1 < counts[w] ? 32 : 10);\n        }\n    return 0;\n}" >(out ".c")
}
