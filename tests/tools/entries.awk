# entries.awk: lines PROCEDURE <tab> ENTRY from objdump's text: a procedure is entered as often as its first instruction behind ldgp
# is executed. Without procedures that go back there.
/^[0-9a-f]+ <.*>:$/ { start = $1; sub(/^0+/, "", start); gp[start] = 0; entry[start] = start; n = 0; next }
/^ *[0-9a-f]+:/ {
    pc = $1
    sub(/:$/, "", pc)
    n++
    if (n == 1 && $2 == "ldah" && $3 ~ /^gp,.*\((t12|pv)\)/) gp[start] = 1
    if (n == 3 && gp[start]) entry[start] = pc
    if ($2 ~ /^[bf]/) {
        target = $3
        sub(/.*,/, "", target)
        sub(/^0x/, "", target)
        if (target == start || target == entry[start]) gone_back[start] = 1
    }
}
END { for (s in entry) if (!(s in gone_back)) print "0x" s "\t0x" entry[s] }
