#!/bin/bash
# sentences.sh SEED COUNT FILE...: draws so many sentences at random, the same for the same seed and text, to be read by somebody who has not written
# them. Of Markdown files these are sentences outside of code, and rows of tables; of support/messages.def the messages; of *.expected files
# the messages and hints of golden tests, each once.
set -eu
export LC_ALL=C
seed=$1 count=$2
shift 2
for file; do
    case $file in
    *.def) sed -n 's/^MESSAGE(\([A-Z_]*\), [A-Z_]*, "\(.*\)")$/\1: \2/p' "$file" ;;
    *.expected) sed -n -E 's/.*(error|warning|note): /\1: /p; /^hint: /p' "$file" ;;
    *) awk '
        function flush() { # sentences end at a stop before a capital letter, a quotation or a code word
            while (match(text, /[^ ][.?!] +[A-Z`"\[*]/)) {
                print substr(text, 1, RSTART + 1)
                text = substr(text, RSTART + RLENGTH - 1)
            }
            if (text != "") print text
            text = ""
        }
        /^```/ { flush(); fenced = !fenced; next }
        /^\|[-|]*$/ { text = ""; next } # what stands above is the head of a table
        fenced || /^#/ || /^!\[/ || /^<!--/ || /^    / && text == "" { flush(); next }
        /^$/ || /^\|/ || /^ *[-*] / || /^[0-9]+\. / { flush() }
        { sub(/^ *([-*]|[0-9]+\.) +/, ""); sub(/^ +/, ""); text = text == "" ? $0 : text " " $0 }
        END { flush() }' "$file" | awk 'NF > 3' ;;
    esac
done | sort -u | awk -v seed="$seed" -v count="$count" '
    { all[NR] = $0 }
    END {
        for (i = 1; i <= 10; i++) seed = (seed * 16807 + 11) % 2147483647 # small seeds begin alike
        for (left = NR; count-- > 0 && left > 0; left--) {
            seed = seed * 16807 % 2147483647
            at = 1 + int(seed / 2147483647 * left)
            print ++drawn ". " all[at]
            all[at] = all[left]
        }
    }'
