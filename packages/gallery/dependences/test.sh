# A trace of addresses, gone through in awk with the registers of each instruction.
instrument traced.atom -t trace -D form=text words
ATOMC_OUT=dependences qemu traced.atom >trace.log
"$ATOMC" -e 'report "registers" for i in insts for r in i.reads as "r ", hex i.pc, " ", r.name
    report "registers" for i in insts for r in i.writes as "w ", hex i.pc, " ", r.name' words -o registers.atom
ATOMC_OUT=dependences qemu registers.atom >registers.log
awk "$hexadecimal"'
    # Subscripts above 2^31 would be rounded by some: offsets in the text, and texts.
    function place(text) { return number(text) - 4831838208 }
    function eight(text) { return substr(text, 1, length(text) - 1) (substr(text, length(text)) ~ /[0-7]/ ? 0 : 8) }
    function later(a, b) { return a > b ? a : b }
    function visit(pc, own, unit, at, i, n, r) {
        unit = pc in access ? access[pc] : ""
        if (own) {
            at = 0
            now++
            n = split(reads[pc], r, " ")
            for (i = 1; i <= n; i++) at = later(at, ready[r[i]])
            if (kind[pc] == "load") {
                at = later(at, written[unit])
                if (unit in stored) { for (i = 1; i * 2 <= now - stored[unit]; ) i *= 2; distances[i]++ }
            }
            longest = later(longest, ++at)
            if (kind[pc] == "store") { written[unit] = at; stored[unit] = now }
            n = split(writes[pc], r, " ")
            for (i = 1; i <= n; i++) ready[r[i]] = at
        }
        if (unit == "") return
        if (kind[pc] != "store" || mnemonic[pc] != "stq") { delete writer[unit]; return }
        if (unit in writer) dead[writer[unit]]++
        writer[unit] = pc
    }
    function leave(pc) { for (pc = begin; pc < begin + 4 * count; pc += 4) visit(pc, own[pc]); split("", access); split("", kind) }
    FNR == 1 { file++ }
    file == 1 { pc = place($1); own[pc] = $5 ~ /words.c$/; mnemonic[pc] = $7; next }
    file == 2 { pc = place($2); if ($1 == "r") reads[pc] = reads[pc] " " $3; else writes[pc] = writes[pc] " " $3; next }
    $1 == "block" { leave(); begin = place($2); count = $3; next }
    { access[place($2)] = eight($3); kind[place($2)] = $1 }
    END {
        leave()
        print "chain", now, longest
        for (from in distances) print "distance", from, distances[from]
        for (pc in dead) print "dead", dead[pc]
    }' FS='\t' executed FS=' ' dependences/registers dependences/trace.out | sort >expected
awk -F '\t' 'FNR == 1 { file++; next } file == 1 { print "chain", $1, $2 } file == 2 { print "distance", $1, $3 } file == 3 { print "dead", $3 }' \
    chain.out distances.out dead.out | sort >found
same dependences/all expected found
check dependences/some "[ \$(grep -c distance found) -ge 5 ] && [ \$(grep -c dead found) -ge 5 ]" found
