# stalls.awk: how many loads main and sum have whose register the next instruction of the block names as a source: by objdump -d.
BEGIN { FS = "\t" }
/<(main|sum)>:$/ { on = 1 }
/^$/ { on = 0 }
!on || NF < 3 { next }
$3 ~ /^ld[lq]$/ {
    wanted = substr($4, 1, index($4, ",") - 1)
    next
}
wanted != "" {
    n = split($4, operand, /[,()]/)
    for (i = 1; i <= n; i++)
        if (operand[i] == wanted && (i < n || n == 1 || $3 ~ /^(ld|st|b)/) && !(i == 1 && $3 ~ /^ld/)) {
            count++
            break
        }
    wanted = ""
}
END { print count + 0 }
