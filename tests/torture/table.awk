# table.awk: how many of the tests of torture.sh have passed and failed, suites and levels by modes, from its lines of results.
/^(ok|not ok) torture\// {
    good = $1 == "ok"
    n = split(good ? $2 : $3, part, "/")
    mode = part[n]
    sub(/:$/, "", mode)
    level = part[n - 1]
    sub(/.*-/, "", level)
    row = part[2] " " level
    rows[row]
    modes[mode]
    count[row, mode, good]++
    total[good]++
}
END {
    printf "%-34s", "passed / failed"
    for (mode in modes) printf "%16s", mode
    print ""
    for (row in rows) {
        printf "%-34s", row
        for (mode in modes) printf "%16s", count[row, mode, 1] + 0 " / " count[row, mode, 0] + 0
        print ""
    }
    printf "%d passed, %d failed\n", total[1], total[0]
}
