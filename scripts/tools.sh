#!/bin/bash
# tools.sh: prints docs/tools.md: the stock tools with their samples, from their own pages.
# Requires: stdtools/*.atd; run from the repository's root. tests/run/stdtools.sh holds docs/tools.md against it.
set -eu
purpose() {
    sed -n 's/^tool [a-z0-9_]* "\(.*\)"/\1/p' "$1"
}
cat <<'END'
# The stock tools

<!-- Made by scripts/tools.sh from stdtools: change the tools, then `scripts/tools.sh >docs/tools.md`. -->

`atomc run -t NAME -- PROGRAM` applies a tool and shows its report; `atomc -t NAME PROGRAM -o PROGRAM.atom` makes a program whose
runs write it to the tool's file. Several `-t` apply several tools. `atomc --list` lists the tools.
`atomc --help NAME` describes one with its parameters, which `-D name=value` sets. With `--demangle`, C++ names are demangled in files, too.

With `-D html=true`, hiprof, cache and coverage also write a page for a browser, such as `hiprof.out.html`. The page is one file and
needs no network. A click on the title of a column sorts, and the address keeps the order (`hiprof.out.html#procedures/3`). Each
procedure has links to its callers, its callees and its source. The page contains the source files that the debug information
names, if they can be read when the program ends. Without scripts and on paper, the tables are the same.

| tool | group | what it reports |
|---|---|---|
END
for tool in stdtools/*.atd; do
    name=$(basename "$tool" .atd)
    echo "| [$name](#$name) | $(sed -n 's/^# Group: *//p' "$tool") | $(purpose "$tool") |"
done
for tool in stdtools/*.atd; do
    printf '\n## %s\n\n' "$(basename "$tool" .atd)"
    # The heading of the page: text, then the sample.
    sed -n '/^#/!q; s/^# \{0,1\}//p' "$tool" | awk '
        /^[a-z0-9_]*: / && NR == 1 { sub(/^[a-z0-9_]*: /, ""); first = toupper(substr($0, 1, 1)) substr($0, 2); print first; next }
        /^Group:/ { next }
        /^File: *none/ { next }
        /^File:/ { print ""; sub(/^File: */, ""); print "File: `" $0 "`"; next }
        /^Output:/ { print ""; sub(/^Output: */, ""); print "Output: " $0; next }
        /^Options:/ { print ""; print "Options:"; print ""; sub(/^Options: */, ""); options = 1 }
        /^Sample:/ { options = 0 }
        options && /^ *-D / { sub(/^ */, ""); print "- " $0; next }
        options && /^ / { sub(/^ */, ""); print "  " $0; next }
        /^Sample:/ { print ""; sub(/^Sample: */, ""); print "Sample, of " $0 ":"; next }
        /^  [^ ]/ { print "    " substr($0, 3); next }
        { sub(/^ */, ""); print }' | cat -s
done
