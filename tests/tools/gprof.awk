# gprof.awk: gprof's listing, for tests/run/tools_replay.sh: what the entry of each procedure says of itself and of its callers,
# as build/tests/replay says that (node, arc); what it says of those that it calls (called); and the flat profile (flat). Procedures of
# one name are one.
function whole(text) {
    return text ~ /^[0-9]+$/
}
function name_from(field, text, i) {
    text = $field
    for (i = field + 1; i <= NF; i++) text = text "_" $i
    sub(/_\[[0-9]+\]$/, "", text)
    sub(/_<cycle_[0-9]+>$/, "", text)
    return text
}
# add KIND KEY CALLS SELF CHILDREN
function add(kind, key, calls, self, children) {
    key = kind "\t" key
    calls_of[key] += calls
    self_of[key] += self
    children_of[key] += children
}
function entry_of(line, entry, part) {
    $0 = line
    split($5, part, "+")
    entry = name_from(6)
    self[entry] += $3
    children[entry] += $4
    calls[entry] += part[1]
    own[entry] += part[2]
    if (part[2]) {
        add("arc", entry "\t" entry, part[2], 0, 0)
        add("called", entry "\t" entry, part[2], 0, 0)
    }
    return entry
}
# A line above the entry's own is a caller's, one below it that of a procedure that is called. Inside of a cycle only calls are known.
function arc_of(line, entry, above, count, part, name) {
    $0 = line
    count = whole($1) && whole($2)
    split(count ? $3 : $1, part, "/")
    name = name_from(count ? 4 : 2)
    add(above ? "arc" : "called", above ? name "\t" entry : entry "\t" name, part[1], count ? $1 : 0, count ? $2 : 0)
}
/^-----/ {
    if (lines[primary] !~ /as a whole> \[[0-9]+\]$/) {
        entry = entry_of(lines[primary])
        for (i = 1; i <= count; i++)
            if (i != primary) arc_of(lines[i], entry, i < primary)
    }
    count = 0
    next
}
graph { lines[++count] = $0; if (/^\[/) primary = count }
/^index/ { graph = 1 }
/^ time/ { flat = 1; next }
/Call graph/ { flat = 0 }
flat && NF > 3 && $3 > 0 { flat_self[NF > 7 ? name_from(7) : $NF] += $3 }
END {
    for (name in flat_self) printf "flat\t%s\t%.0f\n", name, flat_self[name]
    for (entry in self) printf "node\t%s\t%.0f\t%.0f\t%.0f\t%.0f\n", entry, self[entry], children[entry], calls[entry], own[entry]
    for (key in calls_of) printf "%s\t%.0f\t%.0f\t%.0f\n", key, calls_of[key], self_of[key], children_of[key]
}
