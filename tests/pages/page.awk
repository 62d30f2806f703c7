# page.awk: writes a random page, correct and with the same results in every run: awk -v seed=N -f page.awk >page.atd. Its C is
# routines.c; with -v machine=AArch64 there is none, and registers and attributes are that machine's. Each report goes to page.out.
# A page has about 20 statements. With -v places="KINDS", the words of loops over places, it is for files of rows: each report has a
# file of its own, and columns that may say nothing of the place.

# From 0 to n - 1: the same with every awk.
function any(n) {
    state = (state * 16807) % 2147483647
    return int(state / 7) % n
}
function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
function chance(percent) { return any(100) < percent }

# ---- what is there ----

function declare(    i, kind, form) {
    kind_count = split("inst block proc edge callsite loop entry" (places == "" ? "" : " syscall"), kinds, " ")
    set_count = 4 + any(4)
    for (i = 1; i <= set_count; i++) {
        kind = kinds[1 + any(chance(70) ? 2 : kind_count)]
        set_kind[i] = kind
        print "set set" i " = " kind " v where " place_condition(kind, 1)
    }
    counter_count = 6 + any(8)
    for (i = 1; i <= counter_count; i++) {
        form = one_of("sum sum sum sum max min assign")
        counter_form[i] = form
        counter_cells[i] = one_of("one one set set kind number key")
        if (form == "assign" && counter_cells[i] == "key")
            counter_cells[i] = "number"
        counter_of[i] = counter_cells[i] == "set" ? 1 + any(set_count) : 0
        if (counter_cells[i] == "kind")
            counter_kind[i] = chance(60) ? "block" : kinds[1 + any(kind_count)]
        keys[i] = 1 + any(2)
        counter_number[i] = 2 ^ (1 + any(7))
        print "counter counter" i (counter_cells[i] == "one" ? "" : "[" (counter_cells[i] == "set" ? "set" counter_of[i] : \
            counter_cells[i] == "kind" ? plural(counter_kind[i]) : counter_cells[i] == "key" ? (keys[i] == 2 ? "int, int" : "int") : counter_number[i]) "]")
    }
    histogram_count = any(3)
    for (i = 1; i <= histogram_count; i++) {
        histogram_of[i] = chance(50) ? 1 + any(set_count) : 0
        print "histogram histogram" i (histogram_of[i] ? "[set" histogram_of[i] "]" : "") " " \
            (chance(50) ? "log2" : "linear " (chance(50) ? "-" : "") any(50) " .. " 60 + any(900) " by " 1 + any(60))
    }
    switch_count = any(3)
    for (i = 1; i <= switch_count; i++)
        print "switch switch" i (chance(40) ? " = on" : "")
}
function plural(kind) { return kind == "entry" ? "entries" : kind "s" }

# Static conditions and numbers of a place `v`.
function place_condition(kind, depth,    text) {
    if (depth < 3 && chance(30))
        return "(" place_condition(kind, depth + 1) " " one_of("and or") " " place_condition(kind, depth + 1) ")"
    if (chance(15))
        return "not (" place_condition(kind, depth + 1) ")"
    if (chance(25))
        return place_number(kind) " % " 2 + any(5) " " one_of("== != < >") " " any(3)
    text = kind == "inst" ? one_of("v.is_load v.is_store v.class==condbr v.is_call v.is_return v.reads_memory v.loop_depth>0 v.is_add v.writes(" (machine == "" ? "v0" : "x0") ") v.reads(sp) v.size>4") : \
        kind == "block" ? one_of("v.ninsts>4 v.nloads>0 v.is_entry v.is_header v.loop_depth>0 v.nsuccs>1 v.npreds>1 v.follows v.proc.is_leaf v.from_outside") : \
        kind == "proc" ? one_of("v.is_leaf v.nloops>0 v.ninsts>20 v.frame_size>0 v.address_taken v.ncallsites>1") : \
        kind == "edge" ? one_of("v.is_back v.kind==taken v.kind==fallthrough v.from.ninsts>3 v.to.npreds>1") : \
        kind == "callsite" ? one_of("v.is_indirect v.loop_depth>0 v.proc.nloops>0") : \
        kind == "syscall" ? one_of("v.number>0 v.block.ninsts>4 v.proc.is_leaf") : \
        kind == "loop" ? one_of("v.depth>1 v.depth==1 v.nblocks>1 v.ncallsites==0 v.nloops==0") : \
        one_of("v.is_first v.block.ninsts>2 v.proc.is_leaf")
    return text
}
function place_number(kind) {
    return kind == "inst" ? one_of("v.pc v.pc/4 v.size v.opcode v.displacement v.block.ninsts" (machine == "" ? " v.word v.stalls" : "")) : \
        kind == "block" ? one_of("v.ninsts v.nloads v.nstores v.id v.pc/4 " (machine == "" ? "v.cycles" : "v.ninsts%7") " v.nsuccs v.ninsts*3 v.ninsts/2 v.nloads+2*v.nstores") : \
        kind == "proc" ? one_of("v.ninsts v.id v.nblocks v.frame_size v.size") : \
        kind == "edge" ? one_of("v.id v.from.ninsts v.to.ninsts v.to.id") : \
        kind == "callsite" || kind == "syscall" ? one_of("v.id v.pc/4 v.block.ninsts") : \
        kind == "loop" ? one_of("v.id v.nblocks v.ninsts v.depth") : one_of("v.id v.pc/4 v.block.ninsts")
}

# ---- values at a place ----

function number_at(kind, time, depth,    i) {
    if (chance(25))
        return any(2) ? any(10) : any(1000) - 300
    if (depth < 3 && chance(35))
        return "(" number_at(kind, time, depth + 1) " " one_of("+ - * & | ^ + &") " " number_at(kind, time, depth + 1) ")"
    if (depth < 3 && chance(8))
        return "(" number_at(kind, time, depth + 1) " " one_of("<< >>") " (" number_at(kind, time, depth + 1) " & 63))"
    if (depth < 3 && chance(8))
        return "(" number_at(kind, time, depth + 1) " " one_of("/ %") " " 1 + any(40) ")"
    if (depth < 3 && chance(8))
        return "(" condition_at(kind, time, depth + 1) " ? " number_at(kind, time, depth + 1) " : " number_at(kind, time, depth + 1) ")"
    if (chance(30))
        return place_number(kind)
    if (chance(25)) {
        i = 1 + any(counter_count)
        if (counter_cells[i] == "one")
            return "$counter" i
        if (counter_cells[i] == "number")
            return "$counter" i "[" number_at(kind, time, depth + 1) " & " counter_number[i] - 1 "]"
    }
    if (kind == "proc" && time == "before" || kind == "callsite" && time == "before")
        return machine == "" ? "$a" any(6) : "$arg(" any(8) ")"
    if ((kind == "proc" || kind == "callsite") && time == "after")
        return "$ret"
    if (machine != "")
        return "$(" (chance(5) ? one_of("v0 v7 v16") : one_of("x0 x1 x2 x3 x8 x9 x15 x16 x17 x18 x19 x20 x28 x29 x30 sp")) ")"
    return chance(5) ? one_of("$(f0) $(f10) $(f17)") : "$(" one_of("v0 t0 t1 t2 t3 t8 t10 t12 s0 s1 s2 s5 a0 a1 a2 a3 ra sp gp fp at pv") ")"
}
function condition_at(kind, time, depth) {
    if (depth < 3 && chance(20))
        return "(" condition_at(kind, time, depth + 1) " " one_of("and or") " " condition_at(kind, time, depth + 1) ")"
    if (switch_count && chance(25))
        return (chance(30) ? "not " : "") "$switch" 1 + any(switch_count)
    return number_at(kind, time, depth + 1) " " one_of("== != < <= > >= < >") " " number_at(kind, time, depth + 1)
}

# ---- actions ----

function cell_of(i, kind, set, time) {
    if (counter_cells[i] == "one")
        return "counter" i
    if (counter_cells[i] == "number")
        return "counter" i "[" (chance(40) ? any(counter_number[i]) : number_at(kind, time, 1) " & " counter_number[i] - 1) "]"
    if (counter_cells[i] == "key")
        return "counter" i "[" number_at(kind, time, 1) " & 31" (keys[i] == 2 ? ", " number_at(kind, time, 2) " & 7" : "") "]"
    if (counter_cells[i] == "set")
        return counter_of[i] == set ? "counter" i "[v]" : ""
    if (counter_kind[i] == kind)
        return "counter" i "[v]"
    if (kind == "inst" && counter_kind[i] == "block" || kind == "callsite" && counter_kind[i] == "block")
        return "counter" i "[v.block]"
    if (counter_kind[i] == "proc" && kind != "proc")
        return "counter" i "[v.proc]"
    if (kind == "edge" && counter_kind[i] == "block")
        return "counter" i "[v." one_of("from to") "]"
    return ""
}
function update(kind, set, time,    i, cell, tries) {
    for (tries = 0; tries < 20; tries++) {
        i = 1 + any(counter_count)
        if ((cell = cell_of(i, kind, set, time)) != "")
            break
    }
    if (cell == "")
        return ""
    if (counter_form[i] == "sum")
        return cell (chance(45) ? "++" : chance(5) ? "--" : " " one_of("+= += -=") " " (chance(50) ? place_number(kind) : number_at(kind, time, 1)))
    return cell " " (counter_form[i] == "max" ? "max=" : counter_form[i] == "min" ? "min=" : "=") " " number_at(kind, time, 1)
}
function action(kind, set, time,    i) {
    if (histogram_count && chance(12)) {
        i = 1 + any(histogram_count)
        if (!histogram_of[i] || histogram_of[i] == set)
            return "histogram" i (histogram_of[i] ? "[v]" : "") " << " number_at(kind, time, 1) (chance(30) ? " weight " (chance(50) ? 1 + any(9) : place_number(kind)) : "")
    }
    if (switch_count && chance(8))
        return "turn switch" 1 + any(switch_count) " " one_of("on off")
    if (chance(14) && machine == "")
        return "call " one_of("Note Note Mix Rare Real Deep") "(" place_number(kind) ", " number_at(kind, time, 1) ")"
    return update(kind, set, time)
}
function statement(    set, kind, domain, time, actions, count, i, text, dynamic, asks) {
    set = chance(60) ? 1 + any(set_count) : 0
    kind = set ? set_kind[set] : chance(60) ? "block" : kinds[1 + any(kind_count)]
    domain = set ? "set" set : plural(kind)
    time = kind == "edge" ? "on" : kind == "loop" ? "on " one_of("entry back exit") : kind == "entry" ? "before" : \
        kind == "proc" || kind == "callsite" ? one_of("before before after") : one_of("before before before before after")
    count = chance(60) ? 1 : 1 + any(4)
    for (i = 0; i < count; i++) {
        text = action(kind, set, time)
        if (text != "")
            actions = actions (actions == "" ? "" : ", ") text
    }
    if (actions == "")
        return
    if (chance(45))
        asks = " when " (chance(30) ? place_condition(kind, 2) : condition_at(kind, time, 1))
    if (chance(10))
        asks = asks " sample " 1 + any(30)
    print "for v in " domain (chance(15) ? " where " place_condition(kind, 1) : "") " { " time " v" asks "   " actions " }"
}

# ---- reports ----

function reports(    i, kind) {
    for (i = 1; i <= counter_count; i++) {
        if (counter_cells[i] == "one")
            print "report \"page.out\" \"counter" i "\" counter" i
        else if (counter_cells[i] == "number")
            print "report \"page.out\" for row in counter" i " where row.count != 0 \"counter" i "\" row.number, \"Value\" row.count"
        else if (counter_cells[i] == "key")
            print "report \"page.out\" for row in counter" i " \"counter" i "\" row.key, " (keys[i] == 2 ? "\"Second\" row.key(1), " : "") "\"Value\" row.count"
        else {
            kind = counter_of[i] ? set_kind[counter_of[i]] : counter_kind[i]
            print "report \"page.out\" for v in " (counter_of[i] ? "set" counter_of[i] : plural(kind)) " where counter" i "[v] != 0 total" \
                " \"counter" i "\" " (kind == "edge" ? "v.id" : "hex v.pc") ", \"Value\" counter" i "[v]"
        }
    }
    for (i = 1; i <= histogram_count; i++)
        print "report \"page.out\" for " (histogram_of[i] ? "v in set" histogram_of[i] " for b in histogram" i "[v]" : "b in histogram" i) \
            " where b.count != 0 \"histogram" i "\" b.low, \"Value\" b.count"
}

# ---- reports for files of rows ----

# What is said of a place besides its number.
function label_of(kind) {
    return kind == "proc" ? one_of("v.name v.file v.ninsts") : kind == "edge" ? one_of("v.kind v.from.ninsts v.proc.name") : \
        kind == "inst" ? one_of("v.class v.mnemonic v.line v.proc.name v.block.pc") : kind == "loop" ? one_of("v.depth v.proc.name v.nblocks") : \
        kind == "block" ? one_of("v.proc.name v.proc.pc v.ninsts v.line v.pc") : \
        one_of("v.proc.name v.proc.pc v.block.ninsts v.line v.pc")
}
function group_of(kind) {
    return kind == "proc" ? one_of("v.file v.name v.ninsts%5 v") : kind == "loop" ? one_of("v.proc v.depth v.proc.name") : \
        kind == "edge" ? one_of("v.proc v.kind v.from v.from.proc.name v.kind,v.proc") : \
        kind == "inst" ? one_of("v.proc v.block v.class v.proc.file,v.line v.proc,v.mnemonic v.pc/4%7") : \
        kind == "block" ? one_of("v v.proc v.proc.name v.line v.pc/64 v.proc,v.line") : \
        one_of("v.proc v.block v.proc.name v.line v.block.pc/64 v.proc,v.line")
}
function measure_of(i, grouped,    cell) {
    cell = "counter" i "[v]"
    if (counter_form[i] != "sum") # of a group: what was least or last tells nothing
        return (grouped != "" ? "greatest " : "") (chance(15) ? "2 * " : "") cell
    return one_of("- - 2* percent real") == "real" ? "real " cell " / (" cell " + 3)" : chance(25) ? "percent " cell : \
        chance(25) ? cell " / (" cell " + 2)" : chance(15) ? "2 * " cell : cell
}
function row_report(i, kind,    grouped, columns, k, count, last) {
    grouped = chance(40) ? " grouped by " group_of(kind) : ""
    columns = "\"Value\" " (grouped != "" && (chance(30) || counter_form[i] != "sum") ? "greatest " : "") "counter" i "[v]"
    count = any(3)
    for (k = 0; k < count; k++)
        columns = columns ", \"More" k "\" " measure_of(i, grouped)
    count = any(3)
    for (k = 0; k < count; k++) # each thing is said once
        if ((last = label_of(kind)) && index(columns, last) == 0)
            columns = "\"Label" k "\" " last ", " columns
    return "for v in " (counter_of[i] ? "set" counter_of[i] : plural(kind)) (chance(70) ? " where counter" i "[v] != 0" : "") grouped \
        (chance(40) && (grouped == "" || counter_form[i] == "sum") ? " sorted by counter" i "[v] descending top " 1 + any(30) : "") (chance(30) ? " total" : "") " " columns
}
function row_reports(    i, list, count) {
    for (i = 1; i <= counter_count; i++) {
        if (counter_cells[i] == "number" || counter_cells[i] == "key")
            print "report \"row" i ".out\" for row in counter" i (counter_cells[i] == "number" ? " where row.count != 0" : "") \
                (chance(50) ? " \"Key\" row." (counter_cells[i] == "key" ? "key," : "number,") : "") " \"Value\" row.count"
        else if (counter_cells[i] != "one")
            print "report \"row" i ".out\" " row_report(i, counter_of[i] ? set_kind[counter_of[i]] : counter_kind[i])
    }
    for (i = 1; i <= histogram_count; i++)
        print "report \"bucket" i ".out\" for " (histogram_of[i] ? "v in set" histogram_of[i] " for b in histogram" i "[v]" : "b in histogram" i) \
            " where b.count != 0 \"Value\" b.count"
    count = split(places, list, " ")
    for (i = 1; i <= count; i++)
        print "report \"place" i ".out\" for v in " list[i] " \"Counts\" 1" (list[i] != "objects" && chance(30) ? ", \"Nothing\" \"\"" : "")
}

BEGIN {
    state = (seed * 48271 + 11) % 2147483647
    for (warm = 0; warm < 5; warm++)
        any(2)
    print "# page.awk, seed " seed
    print "tool page \"random\""
    if (machine == "")
        print "analysis \"routines.c\""
    declare()
    statements = 8 + any(20)
    for (line = 0; line < statements; line++)
        statement()
    if (machine == "")
        print "after program   call Print()"
    if (places == "")
        reports()
    else
        row_reports()
}
