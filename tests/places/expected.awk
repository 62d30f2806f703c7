# expected.awk: what places.atd must count, from the oracle's counts. Requires files in this order: the output of
# atomc --dump=cfg, of transitions.so, of oracle.so. Blocks and edges are taken from the dump, and of loops the header
# and where control goes back from; which blocks a loop contains is found here. Prints lines of
# edge FROM TO KIND COUNT, loop PC ENTRIES BACKS EXITS, callsite PC CALLS RETURNS, entry PC FIRST COUNT.
BEGIN { FS = "\t" }
# Addresses are counted from 0x120000000, where the text is: not all awks can do more than 32 bits.
function hex(text,    i, value) {
    value = 0
    for (i = 3; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value - 4831838208
}
function address(value) { return sprintf("0x1%08x", value + 536870912) }
FNR == 1 { file++ }

# ---- --dump=cfg: procedures, blocks with their ends and edges, loops
file == 1 && /^procedure / {
    split($0, word, " ")
    procedure = word[2]
    ldgp[procedure] = /, ldgp/
    next
}
file == 1 && /^  block / {
    split($0, half, ";")
    split(half[1], word, " ")
    b = word[2]
    first[b] = hex(word[3])
    last[b] = first[b] + 4 * (word[4] - 1)
    owner[b] = procedure
    if (!(procedure in head)) head[procedure] = b
    if (half[1] ~ / alternate-entry/ || b == head[procedure]) is_entry[b] = 1
    end_of[b] = half[2]
    at = index(half[2], " -> ")
    if (at) {
        end_of[b] = substr(half[2], 1, at - 1)
        n = split(substr(half[2], at + 4), part, ",")
        for (i = 1; i <= n; i++) {
            split(part[i], word, " ")
            edge_from[++edges] = b
            edge_to[edges] = word[1]
            edge_kind[edges] = word[2] == "" ? "fallthrough" : word[2]
            incoming[word[1]] = incoming[word[1]] " " edges
            outgoing[b] = outgoing[b] " " edges
        }
    }
    next
}
file == 1 && /^  loop / {
    split($0, half, ";")
    split(half[1], word, " ")
    header[++loops] = word[4] + 0
    n = split(half[2], word, /[ ,]+/)
    for (i = 4; i <= n; i++) if (word[i] != "") sources[loops] = sources[loops] " " word[i]
    loop_procedure[loops] = procedure
    next
}

# ---- transitions: what branches and jumps did
file == 2 {
    from = hex($1)
    to = hex($2)
    moved[from, to] += $3
    arrivals[to] = arrivals[to] " " from
}

# ---- the oracle: executions, and the words of instructions
file == 3 && /^0x/ {
    pc = hex($1)
    executed[pc] = $3
    opcode[pc] = int((hex("0x" substr($2, 1, 2)) + 4831838208) / 4)
}

# Arrivals at a return point by returns, longjmp's included: all by jump instructions but those through tables.
function returns(pc,    list, n, i, sum) {
    n = split(arrivals[pc], list, " ")
    for (i = 1; i <= n; i++)
        if (opcode[list[i]] == 26 && !((list[i], pc) in tabled)) sum += moved[list[i], pc]
    return sum + 0
}
function count(e,    b, pc) {
    b = edge_from[e]
    pc = last[b]
    # QEMU goes on in one translation block behind br .+4
    if (edge_kind[e] == "taken" && end_of[b] ~ /^ branch/) return executed[pc] + 0
    if (edge_kind[e] != "fallthrough") return moved[pc, first[edge_to[e]]] + 0
    if (end_of[b] ~ /^ system call/) return moved[pc, pc + 4] + 0
    if (end_of[b] ~ /^ call/) return returns(pc + 4)
    if (end_of[b] ~ /^ conditional branch/) return moved[pc, pc + 4] + 0
    return executed[pc] + 0
}
function print_loop(l,    member, queue, n, q, list, i, e, b, backs, exits) {
    member[header[l]] = 1
    n = split(sources[l], queue, " ")
    for (i = 1; i <= n; i++) is_source[queue[i]] = 1
    for (q = 1; q <= n; q++) {
        if (queue[q] in member) continue
        member[queue[q]] = 1
        i = split(incoming[queue[q]], list, " ")
        for (; i > 0; i--)
            if (owner[edge_from[list[i]]] == loop_procedure[l] && edge_from[list[i]] in live) queue[++n] = edge_from[list[i]]
    }
    for (b in member) {
        i = split(outgoing[b], list, " ")
        for (; i > 0; i--) {
            e = list[i]
            if (!(edge_to[e] in member)) exits += count(e)
            else if (edge_to[e] == header[l]) backs += count(e)
        }
        if (end_of[b] ~ /^ conditional branch/ && split(outgoing[b], list, " ") == 1) exits += executed[last[b]] - moved[last[b], last[b] + 4]
    }
    b = executed[first[header[l]]] - backs
    if (b + backs + exits > 0) printf "loop\t%s\t%.0f\t%.0f\t%.0f\n", address(first[header[l]]), b, backs, exits
}
function print_entry(b, pc,    list, n, i, sum, f, p) {
    p = owner[b]
    n = split(arrivals[pc], list, " ")
    for (i = 1; i <= n; i++) {
        f = list[i]
        # branches from inside are no entries; calls are
        if (opcode[f] == 26 || opcode[f] == 52 || f < low[p] || f > high[p]) sum += moved[f, pc]
    }
    return sum + 0
}
END {
    for (b in first) {
        p = owner[b]
        if (!(p in low) || first[b] < low[p]) low[p] = first[b]
        if (!(p in high) || last[b] > high[p]) high[p] = last[b]
        live[b] = 1
    }
    for (e = 1; e <= edges; e++)
        if (edge_kind[e] == "table") tabled[last[edge_from[e]], first[edge_to[e]]] = 1
    for (e = 1; e <= edges; e++) {
        if (owner[edge_from[e]] != owner[edge_to[e]]) continue
        n = count(e)
        if (n > 0) printf "edge\t%s\t%s\t%s\t%.0f\n", address(last[edge_from[e]]), address(first[edge_to[e]]), edge_kind[e], n
    }
    for (l = 1; l <= loops; l++) print_loop(l)
    for (b in first) {
        if (end_of[b] ~ /^ call/ && executed[last[b]] > 0)
            printf "callsite\t%s\t%.0f\t%.0f\n", address(last[b]), executed[last[b]], returns(last[b] + 4)
        if (!(b in is_entry)) continue
        p = owner[b]
        if (b != head[p] && ldgp[p] && first[b] == low[p] + 8) continue
        n = print_entry(b, first[b])
        if (b == head[p]) {
            # what falls into a procedure enters it
            if (executed[first[b] - 4] > 0 && !moved[first[b] - 4, first[b]] && opcode[first[b] - 4] > 0 && opcode[first[b] - 4] < 48 && opcode[first[b] - 4] != 26)
                n += executed[first[b] - 4]
            if (ldgp[p]) n += print_entry(b, first[b] + 8)
        }
        if (n > 0) printf "entry\t%s\t%d\t%.0f\n", address(first[b]), b == head[p], n
    }
}
