#!/bin/bash
# tools.sh: prints docs/tools.md: the stock tools with their samples, from their own pages.
# Requires: stdtools/*.atd; run in the repository's root. tests/run/stdtools.sh compares docs/tools.md with it.
set -eu
export LC_ALL=C
cat <<'END'
# The stock tools

<!-- Made by scripts/tools.sh from stdtools: change the tools, then `scripts/tools.sh >docs/tools.md`. -->

`atomc run -t NAME -- PROGRAM` applies a tool and shows its report; `atomc -t NAME PROGRAM -o PROGRAM.atom` makes a program that writes it to
`NAME.out`, or to the FILE of `-D out=FILE`. Several `-t` apply several tools. `atomc --help NAME` has the whole of the
sample, which is of a program in [docs/examples](examples).

*Files* are parameters that ask for one more file: `-D html=true` also writes `NAME.out.html`. That is a web page, with the source files that can be
read when the program ends, and links from each procedure to its callers, its callees and its source; a click on the title of a column sorts. callgrind
is for callgrind_annotate and KCachegrind, cachegrind for cg_annotate, folded for flame graphs, dot for Graphviz. The others are tables, by procedure, by
line and so on.

END
# GROUP, a tab, TOOL. The tools to start with are a group of their own, which is the first.
listed=$(scripts/stock.sh Group | awk -F'\t' -v OFS='\t' '{ sub(/.*, start here$/, "Start here", $2); print $2, $1 }')
groups=$(cut -f1 <<<"$listed" | sort -u)
while read -r group; do
    printf '## %s\n\n' "${group^}"
    awk -F'\t' -v group="$group" '$1 == group { print "stdtools/" $2 ".atd" }' <<<"$listed" | while read -r tool; do
        printf '### %s\n\n' "$(basename "$tool" .atd)"
        # The heading of the page: text, then the sample.
        sed -n '/^#/!q; s/^# \{0,1\}//p' "$tool" | awk -v name="$(basename "$tool" .atd)" '
            /^[a-z0-9_]*: / && NR == 1 { sub(/^[a-z0-9_]*: /, ""); first = toupper(substr($0, 1, 1)) substr($0, 2); print first; next }
            /^Group:/ { next }
            /^ *-D out=FILE\.$/ { if (options) next }
            /^File: *none/ { none = 1; next }
            /^File:/ { sub(/^File: */, ""); if ($0 == name ".out") next; print ""; print "File: `" $0 "`"; next }
            /^Output: *none/ { next }
            /^Output:/ { print ""; sub(/^Output: */, ""); print toupper(substr($0, 1, 1)) substr($0, 2); next }
            /^Options: *-D out=FILE\.$/ { next }
            /^Options:/ { print ""; sub(/^Options: */, ""); options = 1 }
            /^Sample:/ { options = 0; if (files != "") print "- *Files*: " files "." }
            # -D NAME=true: also TOOL.out.NAME, with or without a description: one line for all.
            options && match($0, /-D [a-z]+=true: also [a-z]+\.out\.[a-z]+(, .*)?\.$/) {
                file = substr($0, RSTART + 3); sub(/=.*/, "", file)
                if (file != "results" && index($0, ".out." file)) { files = files (files == "" ? "" : ", ") file; next }
            }
            options && /^ *-D / { sub(/^ */, ""); print "- " $0; next }
            options && /^ / { sub(/^ */, ""); print "  " $0; next }
            /^Sample:/ && !none { print ""; sub(/^Sample: */, ""); sub(/docs\/examples\//, ""); print "Of " $0 ":"; next }
            /^Sample:/ { next }
            /^  [^ ]/ { if (++lines <= 2 && $1 != "...") print "    " substr($0, 3); next }
            { sub(/^ */, ""); print }' | cat -s
        echo
    done
done <<<"$groups"
