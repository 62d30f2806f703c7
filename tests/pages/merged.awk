# merged.awk: compares what `atomc merge` and `atomc diff --threshold=0` made of two files of rows with the sums of their rows, whose
# columns that were not counted tell them apart. -v columns="ROLE:MERGE:TYPE ..." as the header has them, FILE FILE MERGED DIFFERENCES.
# Names have no commas. Prints what is wrong; numbers from 2^52 on are not compared.
BEGIN {
    count = split(columns, described, " ")
    for (i = 1; i <= count; i++) {
        split(described[i], words, ":")
        role[i] = words[1]
        has_key = has_key || words[1] == "key"
        merge[i] = words[2]
        is_number[i] = words[3] == "integer"
        if (merge[i] != "none")
            kept[++kept_count] = i
    }
    # A label beside keys is that of the first place of a group that was counted: other places may be in another run.
    for (i = 1; i <= count; i++)
        is_key[i] = has_key ? role[i] == "key" : role[i] != "measure"
}
FNR == 1 { file++ }
function is_large(x) { return x >= 4503599627370496 || x <= -4503599627370496 }
function key_of(values, from,    i, key) {
    for (i = 1; i <= count; i++)
        if (is_key[i] && merge[i] != "none")
            key = key SUBSEP values[from == "merged" ? place_in_merged(i) : i]
    return key
}
function place_in_merged(column,    i) {
    for (i = 1; i <= kept_count; i++)
        if (kept[i] == column)
            return i
}
file < 4 && /^\[/ {
    split(substr($0, 2, length($0) - 2), values, ",")
    key = key_of(values, file == 3 ? "merged" : "")
    if ((file, key) in seen)
        print "file " file ": two rows are told by " $0
    seen[file, key] = 1
    all[key] = 1
    rows[file]++
    for (i = 1; i <= count; i++)
        if (!is_key[i] && merge[i] != "none")
            value[file, key, i] = values[file == 3 ? place_in_merged(i) : i]
}
file == 4 && match($0, /"equal": [0-9]+/) { equal = substr($0, RSTART + 9, RLENGTH - 9) }
file == 4 && /"State"/ { differing++ }
function together(how, a, b) {
    return a == "" || a == "null" ? b : b == "" || b == "null" ? a : how == "sum" ? a + b : how == "least" ? (a < b ? a : b) : (a > b ? a : b)
}
END {
    for (key in all) {
        union++
        differs = ((1, key) in seen) != ((2, key) in seen)
        if (!((3, key) in seen))
            print "merged: no row " key
        for (i = 1; i <= count; i++) {
            a = value[1, key, i]
            b = value[2, key, i]
            if (is_key[i] || !is_number[i] || merge[i] == "none")
                continue
            differs = differs || a + 0 != b + 0
            large += is_large(a + 0) || is_large(b + 0)
            if (is_large(a + 0) || is_large(b + 0) || (merge[i] != "sum" && merge[i] != "least" && merge[i] != "greatest"))
                continue
            cells++
            if (value[3, key, i] + 0 != together(merge[i], a == "" || a == "null" ? a : a + 0, b == "" || b == "null" ? b : b + 0) + 0)
                print "merged: " value[3, key, i] " of " a " and " b ", row " key
        }
        unequal += differs
    }
    if (rows[3] + 0 != union + 0)
        print "merged: " rows[3] + 0 " rows, not " union + 0
    if (!large && !uncertain() && (differing + 0 != unequal + 0 || equal + 0 != union - unequal))
        print "diff: " differing + 0 " rows differ and " equal + 0 " are equal, not " unequal + 0 " and " union - unequal
    print cells + 0 >"/dev/stderr"
}
# Values that are not merged are compared, too, and are not read here.
function uncertain(    i) {
    for (i = 1; i <= count; i++)
        if (!is_key[i] && merge[i] == "none")
            return 1
    return 0
}
