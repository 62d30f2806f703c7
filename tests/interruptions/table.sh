#!/bin/bash
# table.sh RESULTS PAGE: puts what make interruptions has run into the table of PAGE between its lines with "interruptions": of each point what
# was run last with each tool. Points of which RESULTS has nothing stay as they are.
set -eu
list=$(dirname "$0")/list
date=$(LC_ALL=C date '+%-d %B %Y')
rows=$(awk -F'\t' '
    function trim(text) { gsub(/^ +| +$/, "", text); return text }
    FNR == NR { runs[$1, $2, $3] = $4; passed[$1, $2, $3] = $5; if (!($1 SUBSEP $2 SUBSEP $3 in seen)) { seen[$1, $2, $3]; order[++keys] = $0 } next }
    /^program/ || /^#/ || !NF { next }
    {
        split($0, field, "|")
        point = trim(field[1]); how = trim(field[4]); what = trim(field[5]); name = what; sub(/ .*/, "", name)
        test = how == "job" ? "job " name : how == "program" ? "`make programs PARTS=" name "`" : "`" what "`"
        tools = links = ""; sum = good = least = most = 0
        split("", with)
        for (i = 1; i <= keys; i++) {
            split(order[i], key, "\t")
            if (key[1] != point) continue
            n = runs[point, key[2], key[3]]
            sum += n; good += passed[point, key[2], key[3]]
            if (!least || n < least) least = n
            if (n > most) most = n
            if (!(key[3] in with) && how != "job") tools = tools (tools == "" ? "" : ", ") key[3]
            with[key[3]]
            if (key[2] != "" && index(links, key[2]) == 0) links = links (links == "" ? "" : ", ") key[2]
        }
        printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", point, trim(field[2]), test, tools, links, least == most ? most + 0 : least " to " most, good + 0, sum - good
    }' "$1" "$list")
ROWS=$rows awk -v date="$date" '
BEGIN {
    count = split(ENVIRON["ROWS"], rows, "\n")
}
FNR == NR { if (/^<!-- end of interruptions/) inside = 0; if (inside && split($0, cell, "|") > 8) before[cell[2]] = $0; if (/^<!-- interruptions/) inside = 1; next }
/^<!-- interruptions -->$/ {
    inside = 1
    print
    print "On " date ":\n\n| point | what was seen | test | tools | linked | runs of each | passed | failed |\n|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        split(rows[i], cell, "|")
        print cell[7] + 0 == 0 && cell[2] in before ? before[cell[2]] : rows[i]
    }
}
/^<!-- end of interruptions -->$/ { inside = 0; found = 1 }
!inside
END { exit !found }' "$2" "$2" >"$2.new" || { rm -f "$2.new" && echo "$2 has no lines <!-- interruptions -->" >&2 && exit 1; }
mv "$2.new" "$2"
echo "$rows"
