# programs.awk: on how many real programs the numbers of each stock tool were held against a second computation, from the logs of
# `tests/runner.sh all tools_`; fails if they are fewer than eight for any.
# Run from the repository's root. Requires: the lines ok tools_CASE/TOOL/PROGRAM-LEVEL/..., and those of tools_third, ok tools_third/real/PROGRAM-LEVEL/...
BEGIN {
    while (("scripts/stock.sh Group" | getline line) > 0) {
        tool = substr(line, 1, index(line, "\t") - 1)
        if (tool != "empty") order[++count] = tool
    }
    for (i = 1; i <= count; i++) known[order[i]]
}
/^not ok / { failed++ }
/^ok tools_/ && !/\/(same|steady)$/ {
    split($2, part, "/")
    tool = part[2] == "real" ? "third" : part[2]
    program = part[3]
    # Some are small programs of the tests.
    if (!(tool in known) || !sub(/-O[0-9]s?$/, "", program) || program ~ /^(reader|unaligned)$/) next
    compared[tool]++
    if (!((tool, program) in seen)) { seen[tool, program]; programs[tool] = programs[tool] " " program; number[tool]++ }
}
END {
    for (i = 1; i <= count; i++) {
        tool = order[i]
        printf "%-10s %3d comparisons, %2d programs:%s\n", tool, compared[tool], number[tool], programs[tool]
        few += number[tool] < 8
    }
    printf "%d tools on fewer than eight programs, %d failures\n", few, failed
    exit few || failed
}
