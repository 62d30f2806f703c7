# Each different word is a block of 24 bytes, its length and 1; the others are the C library's. Those of malloc are counted where it is entered.
calls=$(awk -F '\t' '$2 == 8 && $4 ~ /^(__libc_)?malloc$/ { print $3 }' executed)
check allocations/sizes "[ \$(awk -F '\t' 'NR > 1 { sum += \$3 } END { print sum }' sizes.out) = $calls ]" sizes.out
small=$(sort -u text | awk '{ bytes = 24 + length($0) + 1; small += bytes < 32 } END { print small }')
check allocations/small "[ \$(awk -F '\t' '\$1 == 16 { print \$3 }' sizes.out) -ge $small ] && [ \$(awk -F '\t' '\$1 <= 16 { print \$3 }' sizes.out | tail -n 1) -le $calls ]" sizes.out
check allocations/large "tail -n 1 large.out | awk -F '\t' 'NR == FNR { n = \$1; bytes = \$2; next } \$1 >= 1024 { blocks += \$3; least += \$1 * \$3; most += \$2 * \$3 }
    END { exit !(n == blocks && n > 0 && least <= bytes && bytes <= most) }' - sizes.out" large.out
