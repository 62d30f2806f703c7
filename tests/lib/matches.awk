# matches.awk SAMPLE FOUND: true if FOUND matches SAMPLE, in which a line `...` is any number of lines, and ` ...` at a
# line's end is any rest of the line. With -v elsewhere=1, for another release than that of the samples: its compiler
# and C library produce other code, with other numbers, rows and procedures. Then the following must be equal: whether
# there is output, the first line without its numbers, and all lines without numbers.
function same(sample, line) {
    if (sub(/ \.\.\.$/, "", sample)) line = substr(line, 1, length(sample))
    return sample == line
}
function match_from(i, j) {
    for (; i <= wanted; i++) {
        if (want[i] == "...") {
            for (; j <= got + 1; j++) if (match_from(i + 1, j)) return 1
            return 0
        }
        if (j > got || !same(want[i], have[j])) return 0
        j++
    }
    return j == got + 1
}
function without_numbers(line) {
    gsub(/0x[0-9a-f]+|[0-9][0-9.,]*/, "N", line)
    gsub(/[ \t]+/, " ", line)
    return line
}
function is_alike(    i, j, found) {
    if (got == 0 && want[1] ~ /: warning: /) return 1 # of code that the other release does not have
    if ((wanted == 0) != (got == 0)) return 0
    if (wanted > 0 && want[1] != "..." && !(want[1] ~ /[0-9]/) && !same(want[1], have[1])) return 0
    if (want[1] ~ /^(atomc|[a-z]*\.atd):/ && without_numbers(want[1]) != without_numbers(have[1])) return 0
    for (i = 2; i <= wanted; i++) {
        if (want[i] ~ /[0-9]/ || want[i] == "..." || want[i] ~ / \.\.\.$/ || want[i] == "") continue
        found = 0
        for (j = 2; j <= got && !found; j++) found = have[j] == want[i]
        if (!found) return 0
    }
    return 1
}
FILENAME == ARGV[1] { want[++wanted] = $0; next }
{ have[++got] = $0 }
END { exit !(match_from(1, 1) || (elsewhere && is_alike())) }
