# saved.awk: the name of a procedure, mask and lowest offset of the integer and of the floating registers that it saves, its frame and
# the frame's register, where $sp is set: by what readelf -wF says. Requires: name, begin (its address), number().
/FDE/ {
    on = $0 ~ "pc=0*" begin "[.]"
}
on && $1 == "LOC" {
    for (i = 3; i <= NF; i++) column[i] = $i == "ra" ? 26 : substr($i, 2) + 0
}
on && $2 ~ /[+]/ {
    split($2, cfa, "+")
    if (cfa[1] == "r15") register = 15
    else if (cfa[2] > frame + 0) {
        frame = cfa[2]
        if (set == "") set = number($1) - number(begin) - 4
    }
    for (i = 3; i <= NF; i++) if ($i ~ /^c-/) {
        kind = column[i] >= 32
        if (!seen[column[i]]++) mask[kind] += 2 ^ (column[i] % 32)
        if (substr($i, 2) + 0 < low[kind]) low[kind] = substr($i, 2) + 0
    }
}
END {
    printf "%s %x %d %x %d %d %d %d\n", name, mask[0], low[0], mask[1], low[1], frame, register ? register : 30, set
}
