# table.awk: a table of what switches.sh has compared, programs by switches, from its lines of results; fails if something failed,
# or if a program has none.
# In a cell: runs compared, then in brackets for how many tools the instrumented program is the same file without the switch.
# -N: N tools for which the switch is refused, as --copy=sparse may be.
function note(name, switch_) {
    if (!(name in known)) { known[name]; programs[++program_count] = name }
    if (!(switch_ in switches_known)) { switches_known[switch_]; order[++switch_count] = switch_ }
}
/^(ok|not ok) switches\// {
    line = $0
    sub(/^(ok|not ok) switches\//, "", line)
    sub(/:? .*/, "", line)
    sub(/:$/, "", line)
    count = split(line, part, "/")
    if (count < 3) { failed += /^not/; next }
    tools[part[2]]
    note(part[1], part[3])
    if (/^not/) { wrong[part[1], part[3]]++; failed++ }
    else if (part[4] == "refused") refused[part[1], part[3]]++
    else if (part[4] == "unchanged") same[part[1], part[3]]++
    else { runs[part[1], part[3]]++; all_runs += part[3] != "default" }
    all_same += part[4] == "unchanged"
}
END {
    for (tool in tools) tool_count++
    printf "%-10s", ""
    for (s = 1; s <= switch_count; s++) printf " %18s", order[s]
    print ""
    for (p = 1; p <= program_count; p++) {
        printf "%-10s", programs[p]
        for (s = 1; s <= switch_count; s++) {
            key = programs[p] SUBSEP order[s]
            cell = runs[key]
            if (same[key]) cell = cell " (" same[key] ")"
            if (refused[key]) cell = cell " -" refused[key]
            if (wrong[key]) cell = wrong[key] " WRONG"
            printf " %18s", cell
        }
        print ""
    }
    printf "%d programs, %d tools, %d switches: %d runs compared with those without a switch, %d instrumented programs the same files, %d differences\n",
        program_count, tool_count, switch_count - 1, all_runs, all_same, failed
    exit failed > 0 || program_count == 0
}
