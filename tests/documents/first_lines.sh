#!/bin/bash
# first_lines.sh TOOL...: the page docs/internals/first-lines.md: the first lines that each tool shows on a terminal of 80 columns, at its defaults, for
# a program in C and one in C++, as people build them. In a folder with the programs `bzip2` and `lzip` and the file `text`.
# Requires: ATOMC, the emulator, script(1).
set -eu
export LC_ALL=C.UTF-8
lines=9
show() { # TOOL PROGRAM
    rm -rf ran && mkdir ran && cp text ran
    (cd ran && script -qec "stty rows 24 cols 80; '$ATOMC' run -t $1 -- ../$2 -k -c -1 text >output" /dev/null </dev/null) 2>&1 |
        tr -d '\r' | sed 's/.*\x1b\[K//' | grep -v '^$' | head -n $lines
}
cat <<'END'
# The first lines of each tool

What a person sees first: on a terminal of 80 columns, each tool at its defaults, on two programs that nobody here wrote: bzip2 (C) and lzip (C++),
compressing 20,000 bytes of source, dynamic, at -O2 with -g. The test `first_lines` makes this page anew and compares the titles; `make first-lines` writes it.
END
for tool in "$@"; do
    printf '\n## %s\n' "$tool"
    for program in bzip2 lzip; do
        printf '\n```\n%s\n```\n' "$(show "$tool" $program)"
    done
done
