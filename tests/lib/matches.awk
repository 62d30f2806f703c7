# matches.awk SAMPLE FOUND: is FOUND what SAMPLE says, where a line `...` is any number of lines, and ` ...` at a line's end its rest?
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
FILENAME == ARGV[1] { want[++wanted] = $0; next }
{ have[++got] = $0 }
END { exit !match_from(1, 1) }
