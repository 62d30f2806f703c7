# Sums of the oracle's counts, by line and by instruction.
awk -F '\t' '$5 ~ /words.c$/ { n[$6] += $3; all += $3 } END { for (line in n) printf "%s\t%d\t%.2f\n", line, n[line], 100 * n[line] / all }' executed |
    sort -t '	' -k2,2nr | head -n 3 >expected
tail -n +2 lines.out >found
same lines/lines expected found
# What objdump calls mov, clr and nop is bis.
awk -F '\t' '$5 ~ /words.c$/ { sub(/^(mov|clr|nop)$/, "bis", $7); n[$7] += $3; all += $3 } END { for (what in n) printf "%s\t%.2f\n", what, 100 * n[what] / all }' executed >shares
check lines/mix "[ \$(wc -l <mix.out) = 5 ] && tail -n +2 mix.out | awk -F '\t' 'NR == FNR { share[\$1] = \$2; next } !((\$1 in share) && share[\$1] == \$2)' shares - | grep -c . | grep -x 0" shares
