#!/bin/bash
# tools.sh: prints docs/tools.md: the stock tools with their sizes and samples, from their own pages.
# Requires: stdtools/*.atd; run from the repository's root. tests/run/stdtools.sh holds docs/tools.md against it.
set -eu
lines() { # FILE...: without comments and empty lines; - if there is no file
    [ -n "${1:-}" ] || { echo -; return; }
    cat "$@" | sed -e 's|^[[:space:]]*||' | grep -c -v -e '^$' -e '^#[^i]' -e '^#$' -e '^/\*.*\*/$' -e '^\* ' || true
}
pages() { # TOOL: it and what it includes
    local file
    echo "$1"
    # shellcheck disable=SC2013 # names have no blanks
    for file in $(sed -n 's/^include "\(.*\)"$/\1/p' "$1"); do
        pages "stdtools/$file"
    done
}
analysis() { # always|asked TOOL: its files of C, those that it always has or those that a parameter asks for
    local file
    # shellcheck disable=SC2013
    for file in $(pages "$2"); do
        # A statement ends with the line that does not end with a comma.
        awk -v wanted="$1" '/^analysis / || more { more = /,$/; text = text $0 " "; if (!more) {
                kind = text ~ / when / ? "asked" : "always"; sub(/ when .*/, "", text)
                gsub(/^analysis|[",]/, "", text); if (kind == wanted) print text; text = "" } }' "$file"
    done | tr ' ' '\n' | sed -n 's|.|stdtools/&|p' | sort -u
}
purpose() {
    sed -n 's/^tool [a-z0-9_]* "\(.*\)"/\1/p' "$1"
}
cat <<'END'
# The stock tools

<!-- Made by scripts/tools.sh from stdtools: change the tools, then `scripts/tools.sh >docs/tools.md`. -->

`atomc -t NAME PROGRAM -o PROGRAM.atom` applies a tool. Several `-t` apply several tools. `atomc --list` lists the tools.
`atomc --help NAME` describes one with its parameters, which `-D name=value` sets. With `--demangle`, C++ names are demangled.

With `-D html=true`, hiprof, cache and coverage also write a page for a browser, such as `hiprof.out.html`. The page is one file and
needs no network. A click on the title of a column sorts, and the address keeps the order (`hiprof.out.html#procedures/3`). Each
procedure has links to its callers, its callees and its source. The page contains the source files that the debug information
names, if they can be read when the program ends. Without scripts and on paper, the tables are the same.

The table counts lines that are neither empty nor comments. Included files count, C headers do not. C on request is compiled
only if a parameter asks for it (`analysis "syscall.c" when time`).

| tool | group | what it reports | lines of .atd | of C | of C on request |
|---|---|---|---|---|---|
END
without=0
count=0
# ATOM's, NT-Atom's and the papers' tools.
named=" branch cache dtb icache itb dyninst prof iprof pixie gprof hiprof inline malloc dynmem io read syscall pipe unalign audit memsys
    trace third coverage bbv values "
named_without=0
for tool in stdtools/*.atd; do
    name=$(basename "$tool" .atd)
    # shellcheck disable=SC2046 # one word for each file
    c=$(lines $(analysis always "$tool"))
    # shellcheck disable=SC2046
    asked=$(lines $(analysis asked "$tool"))
    count=$((count + 1))
    if [ "$c" = - ]; then
        without=$((without + 1))
        case $named in *" $name "*) named_without=$((named_without + 1)) ;; esac
    fi
    # shellcheck disable=SC2046
    echo "| [$name](#$name) | $(sed -n 's/^# Group: *//p' "$tool") | $(purpose "$tool") | $(lines $(pages "$tool" | sort -u)) | $c | $asked |"
done
# shellcheck disable=SC2086 # one word for each name
set -- $named
printf '\n%d of %d have no C. %d go back to ATOM and its papers; of these, %d have no C. No tool has instrumentation in C.\n' \
    "$without" "$count" $# "$named_without"
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
