#!/bin/bash
# sentences.sh SEED COUNT FILE...: draws COUNT sentences at random for a reader who has not written them. The same seed and text
# give the same sentences. Markdown files give sentences outside of code, and rows of tables; support/messages.def gives the
# messages; *.expected files give the messages and hints of golden tests; sources give the sentences of their comments.
set -eu
export LC_ALL=C
seed=$1 count=$2
shift 2

# Prints the comments of a file as paragraphs.
comments_of() { # FILE
    case $1 in
    *.sh | *.awk | *.inc | *.atd | *.mk) awk '
        /^ *#!/ || /^ *# *(----|shellcheck|size:|parts:)/ { print ""; next }
        match($0, /^ *#+ /) { print substr($0, RLENGTH + 1); next }
        { print "" }
        match($0, /[ \t]# [^"\047]*$/) { print substr($0, RSTART + 3); print "" }' "$1" ;;
    *) awk '
        function put(text) {
            sub(/^[ \t]*\*?[ \t]+/, "", text)
            if (text !~ /^-----* /) print text
        }
        {
            rest = $0
            if (!inside && match(rest, /(^|[ \t])\/\/+ /)) {
                if (substr(rest, 1, RSTART) !~ /^[ \t]*$/) print ""
                print substr(rest, RSTART + RLENGTH)
                next
            }
            if (!inside) print ""
            for (;;) {
                if (inside) {
                    if (!(end = index(rest, "*/"))) { put(rest); break }
                    put(substr(rest, 1, end - 1))
                    print ""
                    rest = substr(rest, end + 2)
                    inside = 0
                } else {
                    if (!(begin = index(rest, "/*"))) break
                    rest = substr(rest, begin + 2)
                    sub(/^\*/, "", rest)
                    inside = 1
                }
            }
        }' "$1" ;;
    esac
}

for file; do
    case $file in
    *messages.def) sed -n 's/^MESSAGE(\([A-Z_]*\), [A-Z_]*, "\(.*\)")$/\1: \2/p' "$file" ;;
    *.expected) sed -n -E 's/.*(error|warning|note): /\1: /p; /^hint: /p' "$file" ;;
    *) case $file in *.md) cat "$file" ;; *) comments_of "$file" ;; esac | awk '
        function flush() { # sentences end at a stop before a capital letter, a quotation or a code word
            while (match(text, /[^ ][.?!] +[A-Z`"\[*]/)) {
                print substr(text, 1, RSTART + 1)
                text = substr(text, RSTART + RLENGTH - 1)
            }
            if (text != "") print text
            text = ""
        }
        /^```/ { flush(); fenced = !fenced; next }
        /^\|[-|]*$/ { text = ""; next } # the lines above are the head of a table
        fenced || /^#/ || /^!\[/ || /^<!--/ || /^    / && text == "" { flush(); next }
        /^$/ || /^\|/ || /^ *[-*] / || /^[0-9]+\. / { flush() }
        { sub(/^ *([-*]|[0-9]+\.) +/, ""); sub(/^ +/, ""); text = text == "" ? $0 : text " " $0 }
        END { flush() }' | awk 'NF > 3' ;;
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
