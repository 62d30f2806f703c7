#!/bin/bash
# atom_details.sh: values of ATOM's enumerations against the published orders, and what only odd programs have (saved registers,
# frame registers, exceptions, alternate entries, jumps between procedures, threads, no symbols) against readelf, objdump and nm.
# Requires: atomc (ATOMC), the Alpha cross compilers and binutils, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/details/* "$scratch"
cd "$scratch"
same() { # TEST EXPECTED FOUND
    if [ -s "$2" ] && diff "$2" "$3" >difference 2>&1; then passed "details/$1"; else failed "details/$1" "not what others say (<)" difference; fi
}

alpha-linux-gnu-g++ -O2 -static -pthread -Wl,--no-relax details.cpp odd.S -o details
{
    awk '{ for (i = 2; i <= NF; i++) print $i, i - 2 }' values.txt
    awk 'BEGIN { for (i = 0; i < 32; i++) { print "REG_" i, i; print "FREG_" i, 32 + i } }'
    cat aliases.txt
} | sort >a
"$ATOMC" details values.inst.c -o values.atom >found 2>log || failed details/values "atomc failed" log
sort found >b && same values a b

if ! "$ATOMC" details details.inst.c details.anal.c -o details.atom >found 2>log; then
    failed details "atomc failed" log
    exit 1
fi
facts() { # WORD: the lines of that kind, without it
    sed -n "s/^$1 //p" found
}
echo 0 >a && facts wrong >b && same inside a b
alpha-linux-gnu-nm details | awk '{ sub(/^0*/, "", $1); print $3, $1 }' | sort >symbols
at() { # SYMBOL
    awk -v name="$1" '$1 == name { print $2 }' symbols
}

# ---- classes, by the manual's table of opcodes

alpha-linux-gnu-gcc -static -nostartfiles -Wl,--no-relax,-e,main opcodes.S -o opcodes
"$ATOMC" opcodes opcodes.inst.c -o opcodes.atom >words 2>log || failed details/opcodes "atomc failed" log
sed -n '/^### Opcodes/,/^## /s/^| \([0-9a-f][^|]*\) | `\([A-Za-z]*\)` |$/\1|\2/p' "$repository/docs/atom.md" >table
awk -F'|' '
    function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
    FILENAME == "table" {
        others = sub(/ \(all others\)/, "", $1); n = split($1, key, " ")
        for (i = 1; i <= n; i++) { split(key[i], part, "."); if (part[2] == "") rest[hex(part[1])] = $2; else { sub(/^x/, "", part[2]); exact[hex(part[1]), hex(part[2])] = $2 } }
        next }
    { split($0, word, " "); opcode = int(word[1] / 67108864); bits = opcode >= 20 && opcode <= 23 ? 64 : 128
      f = int(word[1] / 32) % bits; print word[1], (opcode, f) in exact ? exact[opcode, f] : opcode in rest ? rest[opcode] : "ClassNull" }' table words >a
same opcodes a words
[ "$(wc -l <words)" -gt 190 ] || failed details/opcodes-all "only $(wc -l <words) instructions"

# ---- frames, by the rows of .eh_frame

alpha-linux-gnu-readelf -wF details 2>/dev/null >frames
for name in few many floats varies; do
    awk -v begin="$(printf '%016x' $((16#$(at $name))))" -v name=$name '
        function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
        /FDE/ { on = index($0, "pc=" begin) > 0; next }
        on && $1 == "LOC" { for (i = 3; i <= NF; i++) column[i] = $i == "ra" ? 26 : substr($i, 2) + 0; next }
        on && NF > 2 {
            split($2, cfa, "+")
            if (cfa[2] > frame && cfa[1] == "r30") { frame = cfa[2]; if (set == "") set = hex($1) - hex(begin) - 4 }
            if (cfa[1] == "r15") register = 15
            for (i = 3; i <= NF; i++) if ($i ~ /^c-/) { saved[column[i]] = 1; k = column[i] >= 32; if (substr($i, 2) + 0 < low[k]) low[k] = substr($i, 2) + 0 }
        }
        END {
            for (r in saved) mask[r >= 32] += 2 ^ (r % 32)
            printf "%s %x %d %x %d %d %d %d\n", name, mask[0], low[0], mask[1], low[1], frame, register ? register : 30, set }' frames
done >a
echo "odd 0 0 0 0 0 30 -1" >>a
facts saved >b && same saved-registers a b
alpha-linux-gnu-readelf -wf details 2>/dev/null | awk '/FDE/ { sub(/.*pc=0*/, ""); sub(/\.\..*/, ""); pc = $0 } /Augmentation data/ && pc { print pc; pc = "" } /CIE/ { pc = "" }' | sort -u >with_data
facts proc | awk '$3 { print $1 }' | sort -u >b && at catches >a && comm -12 a b >c && same catches a c
comm -12 with_data b >c && same exception-frames b c
{ echo "throws 0" && echo "many 0"; } >a && facts proc | awk '$5 == "throws" || $5 == "many" { print $5, $3 }' | sort -r >b && same no-exceptions a b

# ---- entries and ways between procedures

echo "$(at odd_inside) odd_inside" >a && facts alternate >b && same alternate a b
printf '%s\n' "few 0" "goes_on 1" "jumps 1" "odd 0" >a && facts proc | awk '$5 ~ /^(few|goes_on|jumps|odd)$/ { print $5, $2 }' | sort >b && same leaves a b
printf '%x\n' $((16#$(at jumps) + 12)) >a && facts ipjmp | sort >ipjmp && comm -12 a ipjmp >b && same jumps a b
alpha-linux-gnu-objdump -d --no-show-raw-insn details | sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' | tr '\t' ' ' >code
awk '$2 == "jmp" { print $1 }' code | sort >jmps && comm -12 jmps ipjmp >b && same only-jumps ipjmp b
printf '%s\n' "weakly 2" >a && facts proc | awk '$5 == "weakly" { print $5, $4 }' >b && same weak a b
at pthread_create >a && facts creation >b && same creation a b
at pthread_exit >a && facts termination >b && same termination a b
at _ZL4workPv >a.local && at work >>a.local && sort -u a.local | head -n 1 >a && facts taken | sort >b.all && comm -12 a b.all >b && same address-taken a b
awk '$2 == "bsr" { split($3, o, ","); print $1, o[2] }' code | sort >a.all
facts bsr | sort | join a.all - | awk '{ print $1, $3 == "0" ? "none" : "entry", $2, $3 }' >joined
# Behind an ldgp is the same entry, eight bytes on.
awk 'function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
    $2 == "entry" { d = hex($3) - hex($4); print $1, d == 0 || d == 8 ? "good" : $0 } $2 == "none" { print $1, "none" }' joined >b
sed 's/ .*/ good/' joined >a && same bsr-entries a b

# ---- targets of branches: all of them, and in a procedure without jump tables no others

awk '$2 ~ /^(br|b(eq|ne|lt|le|gt|ge|lbc|lbs)|fb..)$/ { n = split($3, o, ","); print o[n] }' code | sort -u >targets
facts block | awk '$2 { print $1 }' | sort >flagged && facts block | awk '{ print $1 }' | sort >blocks
comm -12 targets blocks >a && comm -12 a flagged >b && same branch-targets a b
begin=$(at many) end=$(at floats)
awk -v b="$begin" -v e="$end" '$1 >= b && $1 < e' targets >a && awk -v b="$begin" -v e="$end" '$1 >= b && $1 < e' flagged >b && same no-other-targets a b

# ---- it runs: odd is called 13 times (once by few, twice by way of varies and jumps, ten times by many), odd_inside once

cat >blocks.atd <<'END'
tool blocks "blocks of many"
counter c
for p in procs where p.name == "many" { for b in p.blocks { before b c++ } }
report "blocks.out" "Count" c
END
"$ATOMC" blocks.atd details -o blocks.atom && "$QEMU" blocks.atom >plain && "$QEMU" details.atom >all
count=$(tail -n 1 blocks.out)
{ cat plain && printf '%s\n' "odd 13" "odd_inside 1" "ProcBefore 14" "ProcAfter 14" "BlockBefore $count" "BlockAfter $count" "InstAfter $count"; } >a
same calls a all

# ---- a program without symbols: no names, and nothing that looks like one

alpha-linux-gnu-strip details -o stripped
"$ATOMC" stripped details.inst.c details.anal.c -o stripped.atom >found 2>log || failed details/stripped "atomc failed" log
{ facts proc | sed 's/.* \([0-9]* [^ ]*\)$/\1/' | sort -u; facts wrong; } >b && printf '%s\n' "0 ?" 0 >a && same stripped a b
exit "$((failures > 0))"
