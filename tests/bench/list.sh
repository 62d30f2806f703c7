#!/bin/sh
# list.sh FILE: a list of jobs. The line `* jobs` stands for the stock tools whose pages have three words in their line "Bench"
# (columns 3 to 5 of jobs.txt), `* stock` for all stock tools, with the first two of these words.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
rows() { # jobs|stock
    { "$top"/scripts/stock.sh Group && "$top"/scripts/stock.sh Bench; } | awk -F'\t' -v list="$1" '
        { count = split($2, word, " ") }
        !($1 in seen) { seen[$1]; tool[++tools] = $1; next }
        list == "jobs" && count == 3 || list == "stock" { row[$1] = word[1] " " word[2] " " (list == "jobs" ? word[3] : "-") }
        END {
            for (i = 1; i <= tools; i++)
                if (list == "stock" || tool[i] in row) print tool[i], "-t~" tool[i], tool[i] in row ? row[tool[i]] : "- - -"
        }'
}
while read -r line; do
    case $line in
    '* '*) rows "${line#??}" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$1"
