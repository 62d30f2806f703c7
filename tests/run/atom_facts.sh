#!/bin/bash
# atom_facts.sh: what ATOM's routines say of a program, against nm, objdump, readelf and addr2line.
# Requires: atomc (ATOMC), the Alpha cross compiler and binutils; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/facts/* "$scratch"
cd "$scratch"
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax facts.c -o facts
if ! "$ATOMC" facts facts.inst.c -toolargs="one 'two words' \"\"" -o facts.atom >found 2>log; then
    failed atom-facts "atomc failed" log
    exit 1
fi
# same TEST EXPECTED FOUND
same() {
    if [ -s "$2" ] && diff "$2" "$3" >difference 2>&1; then passed "atom-facts/$1"; else failed "atom-facts/$1" "not what others say (<)" difference; fi
}
facts() { # WORD: the lines of that kind, without it
    sed -n "s/^$1 //p" found
}
printf '0\n' >a && facts wrong >b && same inside a b

# Every instruction's bits; classes and types by objdump's mnemonics, in a table of its own.
alpha-linux-gnu-objdump -d --no-show-raw-insn -z facts | sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' | tr '\t' ' ' >mnemonics
alpha-linux-gnu-objdump -d -z facts | awk -F'\t' '/^ *[0-9a-f]+:\t/ { split($1, a, ":"); gsub(/ /, "", a[1]); split($2, w, " "); print a[1], w[4] w[3] w[2] w[1] }' >bits
facts inst | awk '{ print $1, $2 }' | sort >inst.bits
sort bits >a && join a inst.bits >joined && awk '{ print $1, $2 }' joined >b.a && awk '{ print $1, $3 }' joined >b.b && same bits b.a b.b
awk '{ m = $2; c = 14
    if (m ~ /^(ldbu|ldwu|ldl|ldq|ldq_u|ldl_l|ldq_l|unop)$/) c = 0
    else if (m ~ /^ld[fgst]$/) c = 1
    else if (m ~ /^(st[bwlq]|stq_u|st[lq]_c)$/) c = 2
    else if (m ~ /^st[fgst]$/) c = 3
    else if (m ~ /^(br|b(eq|ne|lt|le|gt|ge|lbc|lbs))$/) c = 4
    else if (m ~ /^fb/) c = 5
    else if (m ~ /^(bsr|jsr|jmp|ret|jsr_coroutine)$/) c = 6
    else if (m ~ /^(lda|ldah|(s[48])?(add|sub)[lq](\/v)?|neg[lq](\/v)?|sextl|ct(pop|lz|tz)|perr|(min|max)[su].*|(un)?pk.*)$/) c = 7
    else if (m ~ /^mull/) c = 8
    else if (m ~ /^(mulq|umulh)/) c = 9
    else if (m ~ /^(and|bic|andnot|bis|or|ornot|not|xor|eqv|xornot|mov|clr|nop|amask|implver)$/) c = 10
    else if (m ~ /^(sll|srl|sra|(ext|ins|msk)[bwlq][lh]|zap|zapnot|sext[bw])$/) c = 11
    else if (m ~ /^cmov/) c = 12
    else if (m ~ /^cmp(eq|lt|le|ult|ule|bge)$/) c = 13
    else if (m ~ /^(div|sqrt)[sf]/) c = 15
    else if (m ~ /^(div|sqrt)[tg]/) c = 16
    else if (m ~ /^(callsys|rduniq|wruniq|bpt|bugchk|gentrap|imb|halt|call_pal|\.long)/) c = 17
    else if (m ~ /^(mb|wmb|trapb|excb|fetch|fetch_m|rpcc|rc|rs|ecb|wh64)$/) c = 18
    fp = c == 1 || c == 3 || c == 5 || (c >= 14 && c <= 16)
    compute = c >= 7 && c <= 16 && m !~ /^lda/
    t = (c < 2) "" (c == 2 || c == 3) "" (m ~ /^(jsr|jmp|ret|jsr_coroutine)$/) "" fp "" (!fp && c < 17) "" (m ~ /^div/) \
        "" (m ~ /^(mul|umulh)/) "" (compute && m ~ /^(s[48])?add|^sextl$/) "" (compute && m ~ /^((s[48])?sub|neg[lq])/) \
        "" (c == 5 || (c == 4 && m != "br")) "" (m == "br") "" (c < 4) "" "N" (m == "ret")
    print $1, c, t }' mnemonics | sort >a
# Whether an instruction does nothing, several mnemonics hide: unop, nop, fnop must be among those that do.
facts inst | awk '{ print $1, $3, substr($4, 1, 12) "N" substr($4, 14, 1) }' | sort >b.all
join -o 1.1,1.2,1.3 a b.all >a.joined && join -o 2.1,2.2,2.3 a b.all >b.joined && same classes a.joined b.joined
awk '$2 ~ /^(nop|unop|fnop)$/ { print $1 }' mnemonics | sort >a && facts inst | awk 'substr($4, 13, 1) == 1 { print $1 }' | sort >b && comm -12 a b >b.both && same nops a b.both

# Displacements, branch targets, callees, and the register that loads and stores name.
registers='v0 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 fp a0 a1 a2 a3 a4 a5 t8 t9 t10 t11 ra t12 at gp sp zero'
awk -v names="$registers" 'BEGIN { n = split(names, r, " "); for (i = 1; i <= n; i++) number[r[i]] = i - 1; for (i = 0; i < 32; i++) number["$f" i] = 32 + i }
    $2 ~ /^(ld[bw]u|ld[lqfgst]|ldq_u|ld[lq]_l|st[bwlqfgst]|stq_u|st[lq]_c)$/ { split($3, o, /[,()]/); print $1, o[2], number[o[1]], number[o[3]] }' mnemonics | sort >a
join <(facts disp | sort) <(facts inst | awk '{ print $1, $5, $6 }' | sort) >b.all
join -o 1.1,1.2,1.3,1.4 a b.all >a.joined && join -o 2.1,2.2,2.3,2.4 a b.all >b && same displacements a.joined b
awk '$2 ~ /^(br|b(eq|ne|lt|le|gt|ge|lbc|lbs)|fb..)$/ { n = split($3, o, ","); print $1, o[n] }' mnemonics | sort >a
facts target | sort >b.all && join -o 1.1,1.2 a b.all >a.joined && join -o 2.1,2.2 a b.all >b && same targets a.joined b
awk '$2 == "bsr" { sub(/^</, "", $4); sub(/[+>].*/, "", $4); print $1, $4 }' mnemonics | sort >a
facts callee | sort >b.all && join -o 1.1,1.2,2.2 a b.all >both && alpha-linux-gnu-nm facts | awk '{ print $3, $1 }' | sort >symbols
# A place may have several names: the addresses decide.
awk 'NR == FNR { at[$1] = $2; next } { print $1, at[$2] == at[$3] }' symbols both >b && awk '{ print $1, 1 }' both >a.one && same callees a.one b

# Procedures: each name is a symbol at that address, with that binding; all functions of the symbol table are there.
alpha-linux-gnu-readelf -sW facts | awk '$4 ~ /FUNC|NOTYPE/ && $(NF - 1) != "UND" { sub(/^0*/, "", $2); print $2, $NF, $5 == "LOCAL" ? 4 : $5 == "WEAK" ? 2 : 1, $4 }' | sort -u >symbols
facts proc | awk '$2 != "?" { print $1, $2, $4 }' | sort -u >b.all
awk 'NR == FNR { known[$1 " " $2 " " $3] = 1; next } ($0 in known) { print }' symbols b.all >b && same procedures b.all b
awk '$4 == "FUNC" { print $1 }' symbols | sort -u >a && facts proc | cut -d' ' -f1 | sort -u >b.all && comm -12 a b.all >b && same functions a b

# The object, as the program headers have it.
alpha-linux-gnu-readelf -lW facts | awk '$1 == "LOAD" && $7 ~ /W/ { print $3, $5, $6 }' >data
read -r address file memory <data
{ printf '%x\n' $((address)) $((file)) $((address + file)) $((memory - file)); } >a
facts object | awk '$1 >= 2 { print $2 }' >b && same object a b

# Lines, and what prologues save.
facts line | while read -r address line; do
    echo "$address $(alpha-linux-gnu-addr2line -e facts "$address" | sed 's/ .*//; s/.*:\([0-9]*\)$/\1/; s/.*?$/0/; s/^$/0/')"
done >a
facts line >b && same lines a b
alpha-linux-gnu-objdump -d --no-show-raw-insn --disassemble=saves facts | tr '\t' ' ' | awk -v names="$registers" '
    BEGIN { n = split(names, r, " "); for (i = 1; i <= n; i++) number[r[i]] = i - 1 }
    / lda *sp,-/ { split($NF, o, /[,()]/); frame = -o[2] }
    / stq *(s[0-6]|ra|fp),[0-9]+\(sp\)/ { split($NF, o, ","); if (!seen[o[1]]++) mask += 2 ^ number[o[1]] }
    END { printf "%x %d 26 8 1\n", mask, frame }' >a
facts saves | awk '{ print $1, $2, $3, $4, $5 }' >b && same saves a b
facts saves | awk '{ print $6, $7 }' >b && awk '/int saves/ { low = NR } /^}/ { print low, NR }' facts.c >a && same line-range a b
echo '0 0 1 0 -1 0' >a && facts leaf >b && same leaf a b
exit "$((failures > 0))"
