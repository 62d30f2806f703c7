# A disassembly weighted by the oracle's counts, for the registers that operands.awk reads from it.
alpha-linux-gnu-objdump -d words >text.all
awk -f "$tests/attributes/operands.awk" text.all >operands
awk -F '\t' "$hexadecimal"' FNR == 1 { file++ } file == 1 { if ($5 ~ /words.c$/) times["0x" $1] = $3; next } $1 in times { n = times[$1]; for (k = 0; k < 5; k++) { r[k] += n * $(8 + 2 * k); w[k] += n * $(9 + 2 * k) } }
    END { split("v0 a1 sp ra f10", name, " "); for (k = 0; k < 5; k++) if (r[k] + w[k] > 0) printf "%s\t%d\t%d\n", name[k + 1], r[k], w[k] }' executed operands | sort >expected
grep -E '^(v0|a1|sp|ra|f10)	' regmix.out | sort >found
same registers/regmix expected found
check registers/some "[ \$(wc -l <expected) -ge 4 ]" expected
