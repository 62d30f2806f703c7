# stored.awk: costs.txt with what costs.sh has found for one compiler: awk -v version=14 -f stored.awk FOUND costs.txt
# New tools are added at the end; those that are not found any more are left out.
function row(tool,    i, text) {
    text = sprintf("%-14s", tool)
    for (i = 2; i <= columns; i++) text = text sprintf(i % 2 ? " %14s" : " %12s", (tool, i) in cell ? cell[tool, i] : "-")
    print text
}
NR == FNR { if (FNR > 1) { order[++tools] = $1; cost[$1] = $2; each[$1] = $3 } next }
FNR == 1 { columns = NF; for (i = 2; i <= NF; i++) if ($i == "start-" version) at = i }
FNR == 1 || $1 in cost { names[++count] = $1; known[$1]; for (i = 2; i <= NF; i++) cell[$1, i] = $i }
END {
    for (i = 1; i <= tools; i++) {
        tool = order[i]
        if (!(tool in known)) names[++count] = tool
        cell[tool, at] = cost[tool]
        cell[tool, at + 1] = each[tool]
    }
    for (i = 1; i <= count; i++) row(names[i])
}
