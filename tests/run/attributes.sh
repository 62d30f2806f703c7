#!/bin/bash
# attributes.sh: the static attributes of a real program's places against readelf, objdump and addr2line.
# Requires: atomc (ATOMC), the test programs, binutils for Alpha, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
hex='function hex(text,    i, value) { text = tolower(text); sub(/^0x/, "", text); value = 0
    for (i = 1; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value - 4831838208 } # from 0x120000000: not all awks can do more than 32 bits
    function bytes(text) { return hex(text) + 4831838208 }
    function address(value) { return sprintf("0x1%08x", value + 536870912) }'
pad='function pad(pc) { pc = tolower(substr(pc, 3)); while (length(pc) < 16) pc = "0" pc; return "0x" pc }'

# same TEST: are $scratch/expected and $scratch/found the same, and not empty?
same() {
    if [ -s "$scratch/expected" ] && cmp -s "$scratch/expected" "$scratch/found"; then
        passed "attributes/$1"
    else
        diff "$scratch/expected" "$scratch/found" >"$scratch/difference" || true
        failed "attributes/$1" "binutils say something else (<), in $(grep -c '^[<>]' "$scratch/difference") lines" \
            "$scratch/difference"
    fi
}

rows() { # FILE: without its heading, addresses padded
    awk -F'\t' "$pad"' BEGIN { OFS = FS } FNR > 1 { if ($1 ~ /^0x/) $1 = pad($1); print }' "$scratch/run/files/$1"
}

if ! program=$(tests/programs/build.sh lua O2 2>/dev/null); then
    skipped attributes "the source of lua could not be fetched"
    exit 0
fi
"$ATOMC" tests/attributes/attributes.atd "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1 || {
    failed attributes "atomc failed" "$scratch/log"
    exit 0
}
run_program "$scratch/run" lua "$scratch/instrumented" "" "" -- -v
alpha-linux-gnu-objdump -d "$program" >"$scratch/text"
alpha-linux-gnu-readelf -sW "$program" >"$scratch/symbols"
alpha-linux-gnu-readelf -SW "$program" >"$scratch/sections"
alpha-linux-gnu-readelf -lW "$program" >"$scratch/segments"

# ---- the object: segments, and the executable sections from the first to the last
awk "$hex"' BEGIN { OFS = "\t" }
    FILENAME ~ /sections$/ { sub(/^ *\[ *[0-9]+\] */, "") }
    FILENAME ~ /sections$/ && $7 ~ /X/ {
        if (!first) first = "0x" $3
        last = hex($3) + bytes($5)
    }
    FILENAME ~ /segments$/ && $1 == "LOAD" && $7 == "RW" {
        data = hex($3); size = bytes($5); whole = bytes($6)
    }
    END { print "lua", first, last - hex(first), address(data), size, address(data + size), whole - size }' \
    "$scratch/sections" "$scratch/segments" | sed 's/0x0*/0x/g' >"$scratch/expected"
rows object.out >"$scratch/found"
same object

# ---- counts: those of the object are those of its sets, and the sums over its procedures
awk -F'\t' 'FNR == 2 { for (i = 1; i <= 7; i++) if ($i == $(i + 7) && $i > 0) same++; print same; exit }' \
    "$scratch/run/files/counts.out" >"$scratch/found"
rows procs.out | awk -F'\t' -v of="$(sed -n 2p "$scratch/run/files/counts.out")" '
    { n++; insts += $3 / 4; calls += $16; blocks += $17; entries += $18; edges += $19; loops += $20 }
    END { split(of, o); print n == o[1], entries == o[2], loops == o[3], blocks == o[4], edges == o[5], calls == o[6], insts == o[7] }' \
    >>"$scratch/found"
printf '7\n1 1 1 1 1 1 1\n' >"$scratch/expected"
same counts

# ---- procedures: a function symbol of that name, binding, section and (where it is not padded) size
rows procs.out | awk -F'\t' 'BEGIN { OFS = FS } { print $1, $2, $4, $5 }' | sort >"$scratch/procedures"
awk "$pad"' BEGIN { OFS = "\t" }
    FILENAME ~ /sections$/ { sub(/^ *\[ */, ""); sub(/\]/, ""); name[$1] = $2; next }
    $4 == "FUNC" || $4 == "IFUNC" || $4 == "NOTYPE" { print "0x" $2, $NF, tolower($5), name[$(NF - 1)] }' "$scratch/sections" "$scratch/symbols" |
    sort -u >"$scratch/known"
# what has no symbol there has no binding
awk -F'\t' '$3 != ""' "$scratch/procedures" >"$scratch/found"
comm -12 "$scratch/known" "$scratch/found" >"$scratch/expected"
same procedures-and-symbols

# ---- frames: the first lda of sp, the ldgp, and what is stored before the first branch
awk "$pad"' BEGIN { OFS = "\t" } FILENAME ~ /procedures$/ { starts[substr($1, 3) + 0 ? $1 : $1] = 1; next }
    !/^ *[0-9a-f]+:\t/ { next }
    {
        pc = $1; sub(/:/, "", pc); pc = pad("0x" pc)
        if (pc in starts) { flush(); at = pc; n = 0; open = 1; frame = gp = s0 = ra = f2 = 0; changed = "," }
        if (!open) next
        n++
        name = $6; operands = $7
        if (n == 1 && name == "ldah" && operands ~ /^gp,.*\(t12\)$/) gp = 1
        if (n == 2 && !(name == "lda" && operands ~ /^gp,.*\(gp\)$/)) gp = 0
        if (name == "lda" && operands ~ /^sp,-[0-9]+\(sp\)$/ && !frame && n <= 24) { frame = operands; gsub(/[^0-9]/, "", frame) }
        if (name == "stq" && operands ~ /^s0,.*\(sp\)$/ && !index(changed, ",s0,")) s0 = 1
        if (name == "stq" && operands ~ /^ra,.*\(sp\)$/ && !index(changed, ",ra,")) ra = 1
        if (name == "stt" && operands ~ /^\$f2,.*\(sp\)$/ && !index(changed, ",$f2,")) f2 = 1
        last = operands; sub(/.*,/, "", last)
        to = operands; sub(/,.*/, "", to)
        changed = changed (name ~ /^ld/ ? to : name ~ /^st/ ? "" : last) ","
        if (name ~ /^(f?b..?.?|jsr|jmp|ret|callsys|call_pal|bugchk|halt|gentrap|\.long)$/ && name !~ /^bi[cs]$/) open = 0
    }
    function flush() { if (at) print at, frame, gp, s0, ra, f2 }
    END { flush() }' "$scratch/procedures" "$scratch/text" | sort >"$scratch/expected"
rows procs.out | awk -F'\t' 'BEGIN { OFS = FS } { print $1, $6, $7, $8, $9, $10 }' | sort >"$scratch/found"
same frames

# ---- instructions: words, targets, operations, registers; of those that objdump knows
awk -f tests/attributes/operands.awk "$scratch/text" | awk -F'\t' "$pad"' BEGIN { OFS = FS } { $1 = pad($1); print }' | sort \
    >"$scratch/operands"
cut -f1 "$scratch/operands" >"$scratch/decoded"
rows insts.out | sort >"$scratch/insts"
cut -f1,2,4,7-22 "$scratch/insts" | join -t'	' - "$scratch/decoded" |
    awk -F'\t' 'BEGIN { OFS = FS } { $2 = substr($2, 3); while (length($2) < 8) $2 = "0" $2; if ($3 == "0x0") $3 = 0; print }' \
        >"$scratch/found"
cp "$scratch/operands" "$scratch/expected"
same instructions
# where one attribute leads to another: the target's address, what the block says
cut -f1,4,23-27 "$scratch/insts" | awk -F'\t' '$2 != $3 || $4 != $5 || $6 != $7 || ($4 && !entries++) || ($6 && !taken++) {
    print ($2 != $3 || $4 != $5 || $6 != $7) ? "wrong" : "found" }' >"$scratch/found"
printf 'found\nfound\n' >"$scratch/expected"
same instructions-and-blocks

# numbers of system calls: the constant that $0 was set to last before, in all but a few places
awk "$pad"'!/^ *[0-9a-f]+:\t/ { number = "" }
    $6 == "lda" && $7 ~ /^v0,[0-9]+$/ { number = substr($7, 4) }
    $6 == "mov" && $7 ~ /^[0-9]+,v0$/ { number = substr($7, 1, length($7) - 3) }
    $6 !~ /^(lda|mov|st.*|b[a-z]*)$/ && $7 ~ /,v0$/ || $6 ~ /^ld/ && $6 != "lda" && $7 ~ /^v0,/ || $6 ~ /^[jb]sr$/ { number = "" }
    $6 == "callsys" { pc = $1; sub(/:/, "", pc); print pad("0x" pc) "\t" number }' "$scratch/text" | sort >"$scratch/set"
cut -f1,28 "$scratch/insts" | join -t'	' "$scratch/set" - |
    awk -F'\t' '$3 >= 0 && $2 != $3 { print } $3 >= 0 { known++ } END { print (known > 20 && known > NR / 2) ? "most" : known " of " NR }' \
        >"$scratch/found"
echo most >"$scratch/expected"
same system-calls

# ---- source lines, of a tenth of the instructions
awk -F'\t' 'NR % 10 == 0 { print $1 }' "$scratch/insts" >"$scratch/some"
alpha-linux-gnu-addr2line -e "$program" <"$scratch/some" | sed 's/ (discriminator.*//; s/.*\///; s/.*:?$/:0/; s/^??:0$/:0/' |
    paste "$scratch/some" - >"$scratch/expected"
join -t'	' "$scratch/some" "$scratch/insts" | awk -F'\t' 'BEGIN { OFS = FS } { sub(/.*\//, "", $5); print $1, $5 ":" $6 }' \
    >"$scratch/found"
same lines

# ---- sections of instructions
awk -F'\t' '{ print $3 }' "$scratch/insts" | sort | uniq -c | awk '{ print $2, 4 * $1 }' >"$scratch/found"
awk "$hex"'{ sub(/^ *\[ *[0-9]+\] */, "") } $7 ~ /X/ { print $1, bytes($5) - bytes($5) % 4 }' "$scratch/sections" | sort \
    >"$scratch/expected"
same sections

# ---- call sites: all calls that objdump shows, and the names of direct ones
awk "$pad"' BEGIN { OFS = "\t" } /^ *[0-9a-f]+:\t/ && ($6 == "bsr" || $6 == "jsr") {
        pc = $1; sub(/:/, "", pc)
        name = $6 == "bsr" ? $NF : ""; gsub(/[<>]/, "", name); sub(/\+0x8$/, "", name)
        print pad("0x" pc), $6 == "jsr", name }' "$scratch/text" | sort >"$scratch/expected"
rows callsites.out | awk -F'\t' 'BEGIN { OFS = FS } { print $1, $3, $3 ? "" : $2 }' | sort >"$scratch/found"
same callsites

# ---- entries: of each procedure the first, under its name; others under a symbol of theirs or as a distance
rows entries.out | awk -F'\t' "$pad"'BEGIN { OFS = FS } { print $1, pad($4), pad($5), pad($6), $3 ? $2 : $2 ~ /\+0x/ ? "+" : $2 }' |
    sort >"$scratch/found"
{
    rows procs.out | awk -F'\t' 'BEGIN { OFS = FS } { print $1, $1, $1, $1, $2 }'
    awk -F'\t' '$1 != $2 && $2 < $1 && $1 == $3 && $1 == $4 && $5 == "+"' "$scratch/found"
    awk -F'\t' 'NR == FNR { known[$1, $2]; next } $1 != $2 && $2 < $1 && $1 == $3 && $1 == $4 && (($1, $5) in known)' \
        "$scratch/known" "$scratch/found"
} | sort >"$scratch/expected"
same entries

# ---- loops: as the dump of the flow graph has them; the chains of attributes lead back to the loop itself
"$ATOMC" --dump=cfg tests/attributes/attributes.atd "$program" -o "$scratch/instrumented" |
    awk 'BEGIN { OFS = "\t" } $1 == "block" { first[$2] = $3; size[$2] = $4 + 0 }
        $1 == "loop" {
            id = $2 + 0; header = $4 + 0; depth = $6 + 0
            match($0, /[0-9]+ blocks/)
            print id, first[header], depth, substr($0, RSTART, RLENGTH) + 0
        }' | sort >"$scratch/expected"
awk -F'\t' 'BEGIN { OFS = FS } FNR > 1 && $1 == $2 && $3 == $4 && $5 == 1 && $6 == $3 - 1 && $10 == $11 && $12 == $13 && $12 == $14 &&
    $8 >= $7 { print $12, $1, $3, $7 }' "$scratch/run/files/loops.out" | sort >"$scratch/found"
same loops
exit 0
