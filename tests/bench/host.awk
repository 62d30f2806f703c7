# host.awk: see host.sh. The files are those of the short and of the longer inputs, in the form of bench.sh.

FNR == 1 { file++ }
$5 != "host" { next }
$2 == "plain" { plain[file, $1] = $6; if (file == 1) program[++programs] = $1 }
$2 != "plain" {
    name = $2 == "peer" ? "plugin " $3 : $3
    if (!(name in known)) { known[name]; names[++count] = name }
    value[file, $1, name] = $6
}
# The ratio for short inputs, for longer ones, and for what these have more.
function ratio(p, name, which) {
    if (which < 3) return value[which, p, name] / plain[which, p]
    return (value[2, p, name] - value[1, p, name]) / (plain[2, p] - plain[1, p])
}
END {
    printf "%-18s %8s %8s %8s", "host / plain", "short", "longer", "work"
    for (p = 1; p <= programs; p++) printf " %10s", program[p]
    print ""
    for (n = 1; n <= count; n++) {
        printf "%-18s", names[n]
        for (which = 1; which <= 3; which++) {
            sum = 0
            for (p = 1; p <= programs; p++) sum += log(ratio(program[p], names[n], which))
            printf " %8.3f", exp(sum / programs)
        }
        for (p = 1; p <= programs; p++) printf " %10.3f", ratio(program[p], names[n], 3)
        print ""
    }
}
