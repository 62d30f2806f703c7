# expected.awk: what computed.atd must report of 2057 calls: `-v what=numbers`, steps, powers or parts.
function bucket(value) { # linear 0 .. 100 by 7
    return value < 0 ? 0 : value >= 100 ? 16 : 1 + int(value / 7)
}
function bit_length(value,   bits) {
    for (bits = 0; value >= 1; value /= 2) bits++
    return bits
}
BEGIN {
    lowest = 5000
    for (n = 1; n <= 2057; n++) {
        if (n % 4 == 1) guarded += n
        if (n % 64 * 3 > highest) highest = n % 64 * 3
        lowest = lowest < 5000 - n ? lowest : 5000 - n
        steps[bucket(n - 20)]++
        powers[1 + bit_length(n * 2 ^ (n % 32))]++
        parts[n % 8] += 2
    }
    if (what == "numbers") print 2057, guarded, highest, lowest, int(2057 / 10)
    for (i = 0; what == "steps" && i < 17; i++) print i, steps[i] + 0
    for (i = 0; what == "powers" && i < 65; i++) print i, powers[i] + 0
    for (i = 0; what == "parts" && i < 8; i++) print i, parts[i] + 0
}
