# report.awk: see report.sh.

function median(first,    n, i, j, t, v) {
    n = 0
    for (i = first; i <= NF; i++) {
        t = $i + 0
        if (i == first || $i + 0 < least) least = $i + 0
        if (i == first || $i + 0 > most) most = $i + 0
        for (j = n++; j > 0 && v[j - 1] > t; j--) v[j] = v[j - 1]
        v[j] = t
    }
    return n % 2 ? v[(n - 1) / 2] : (v[n / 2 - 1] + v[n / 2]) / 2
}
{
    if (!($1 in known_program)) { known_program[$1]; program[++programs] = $1 }
    column = $2 "\t" $3 "\t" $4
    if ($2 != "plain" && !(column in known_column)) { known_column[column]; columns[++column_count] = column }
    value[$1, column, $5] = median(6)
    spread[$1, column, $5] = least > 0 ? most / least : 0
}
function ratio(p, c, measure,    plain) {
    plain = value[p, "plain\tplain\tfinal", measure]
    return plain > 0 && (p, c, measure) in value ? value[p, c, measure] / plain : 0
}
# The geometric mean over all programs that have the ratio, 0 if none has.
function mean(c, measure,    p, n, sum) {
    for (p = 1; p <= programs; p++)
        if (ratio(program[p], c, measure) > 0) { n++; sum += log(ratio(program[p], c, measure)) }
    return n ? exp(sum / n) : 0
}
# The geometric mean of the greatest value of several runs, divided by the least.
function mean_spread(c, measure,    p, n, sum) {
    for (p = 1; p <= programs; p++)
        if (spread[program[p], c, measure] > 0) { n++; sum += log(spread[program[p], c, measure]) }
    return n ? exp(sum / n) : 0
}
function shown(x) { return x > 0 ? sprintf("%.3f", x) : "-" }
function title(c,    part) {
    split(c, part, "\t")
    return part[1] == "tool" && part[3] != "final" ? part[2] "/" part[3] : part[2]
}
function has(measure, c,    p) {
    for (p = 1; p <= programs; p++) if ((program[p], c, measure) in value) return 1
    return 0
}
# A row for each tool and tier, a column for each program, so that lines stay short where tools are many.
function matrix(measure, heading,    c, p, any) {
    for (c = 1; c <= column_count; c++) any = any || has(measure, columns[c])
    if (!any) return
    printf "%s\n%-18s %8s", heading, "", "mean"
    if (measure == "seconds") printf " %9s", "spread"
    for (p = 1; p <= programs; p++) printf " %9s", program[p]
    print ""
    for (c = 1; c <= column_count; c++) {
        if (!has(measure, columns[c])) continue
        printf "%-18s %8s", title(columns[c]), shown(mean(columns[c], measure))
        if (measure == "seconds") printf " %9s", shown(mean_spread(columns[c], measure))
        for (p = 1; p <= programs; p++) printf " %9s", shown(ratio(program[p], columns[c], measure))
        print ""
    }
    print ""
}
function verdict(found, target) {
    return found == 0 || target == 0 ? "-" : found <= target ? "met" : "no"
}
function targets(    line, field, name, c, i, t, limit, by) {
    printf "%-18s %10s %12s %8s %6s %8s %-18s %8s %6s\n", "Targets (means)", "ATOM 1994", "instructions", "target", "", \
        "time", "to be beaten", "", ""
    while ((getline line < jobs) > 0) {
        if (line ~ /^#/ || split(line, field, / +/) < 5) continue
        c = "tool\t" field[1] "\tfinal"
        if (!(c in known_column)) continue
        i = mean(c, "instructions")
        t = mean(c, "seconds")
        limit = field[5] + 0
        by = field[5]
        if (limit == 0 && by != "-") limit = mean("peer\t" by "\tfinal", "seconds")
        printf "%-18s %10s %12s %8s %6s %8s %-18s %8s %6s\n", field[1], field[3], shown(i), field[4], \
            verdict(i, field[4] + 0), shown(t), by, shown(limit), verdict(t, limit)
    }
}
function number(x) { return x == int(x) ? sprintf("%.0f", x) : sprintf("%.6f", x) }
function json(    p, c, measure, m, part, separator) {
    m[1] = "instructions"; m[2] = "seconds"; m[3] = "host"
    printf "{\n  \"programs\": ["
    for (p = 1; p <= programs; p++) {
        printf "%s\n    {\"name\": \"%s\"", (p > 1 ? "," : ""), program[p]
        for (measure = 1; measure <= 3; measure++)
            if ((program[p], "plain\tplain\tfinal", m[measure]) in value)
                printf ", \"%s\": %s", m[measure], number(value[program[p], "plain\tplain\tfinal", m[measure]])
        printf "}"
    }
    printf "\n  ],\n  \"jobs\": ["
    for (c = 1; c <= column_count; c++) {
        split(columns[c], part, "\t")
        printf "%s\n    {\"kind\": \"%s\", \"name\": \"%s\", \"call\": \"%s\"", (c > 1 ? "," : ""), part[1], part[2], part[3]
        for (measure = 1; measure <= 3; measure++) {
            if (!has(m[measure], columns[c])) continue
            printf ",\n     \"%s\": {\"ratio\": %.4f", m[measure], mean(columns[c], m[measure])
            for (p = 1; p <= programs; p++)
                if ((program[p], columns[c], m[measure]) in value)
                    printf ", \"%s\": %s", program[p], number(value[program[p], columns[c], m[measure]])
            printf "}"
        }
        printf "}"
    }
    print "\n  ]\n}"
}
END {
    if (format == "json") { json(); exit }
    matrix("instructions", "Instructions, instrumented / plain")
    matrix("host", "Instructions of the host under qemu-alpha, instrumented / plain")
    matrix("seconds", "User time under qemu-alpha, instrumented / plain")
    targets()
}
