#!/bin/bash
# tools.sh: prints docs/tools.md: the stock tools with their samples, from their own pages.
# Requires: stdtools/*.atd; run from the repository's root. tests/run/stdtools.sh holds docs/tools.md against it.
set -eu
export LC_ALL=C
purpose() {
    sed -n 's/^tool [a-z0-9_]* "\(.*\)"/\1/p' "$1"
}
cat <<'END'
# The stock tools

<!-- Made by scripts/tools.sh from stdtools: change the tools, then `scripts/tools.sh >docs/tools.md`. -->

`atomc run -t NAME -- PROGRAM` applies a tool and shows its report; `atomc -t NAME PROGRAM -o PROGRAM.atom` makes a program whose
runs write it to `NAME.out`, if nothing else is said. Several `-t` apply several tools. `-D name=value` sets a parameter: `-D out=FILE` names the
file of each tool's report, and `atomc --help NAME` describes the others. The samples are of programs in [docs/examples](examples).

With `-D html=true`, hiprof, cache and coverage also write a web page, such as `hiprof.out.html`: one file, which needs no network and contains the
source files that can be read when the program ends. Each procedure has links to its callers, its callees and its source. A
click on the title of a column sorts, and the address keeps the order (`hiprof.out.html#procedures/3`).

END
sed -n 's/^# Group: *//p' stdtools/*.atd | sort -u | while read -r group; do
    printf '%s:\n\n' "$(echo "$group" | sed 's/^./\U&/')"
    grep -l "^# Group: *$group$" stdtools/*.atd | while read -r tool; do
        echo "- [$(basename "$tool" .atd)](#$(basename "$tool" .atd)): $(purpose "$tool")"
    done
    echo
done
for tool in stdtools/*.atd; do
    printf '## %s\n\n' "$(basename "$tool" .atd)"
    # The heading of the page: text, then the sample.
    sed -n '/^#/!q; s/^# \{0,1\}//p' "$tool" | awk -v name="$(basename "$tool" .atd)" '
        /^[a-z0-9_]*: / && NR == 1 { sub(/^[a-z0-9_]*: /, ""); first = toupper(substr($0, 1, 1)) substr($0, 2); print first; next }
        /^Group:/ { next }
        /^ *-D out=FILE\.$/ { if (options) next }
        /^File: *none/ { next }
        /^File:/ { sub(/^File: */, ""); if ($0 == name ".out") next; print ""; print "File: `" $0 "`"; next }
        /^Output:/ { print ""; sub(/^Output: */, ""); print "Output: " $0; next }
        /^Options: *-D out=FILE\.$/ { next }
        /^Options:/ { print ""; print "Options:"; print ""; sub(/^Options: */, ""); options = 1 }
        /^Sample:/ { options = 0 }
        options && /^ *-D / { sub(/^ */, ""); print "- " $0; next }
        options && /^ / { sub(/^ */, ""); print "  " $0; next }
        /^Sample:/ { print ""; sub(/^Sample: */, ""); sub(/docs\/examples\//, ""); print "Sample, of " $0 ":"; next }
        /^  [^ ]/ { if (++lines <= 2) print "    " substr($0, 3); else if (lines == 3 && $1 != "...") print "    ..."; next }
        { sub(/^ */, ""); print }' | cat -s
    echo
done
