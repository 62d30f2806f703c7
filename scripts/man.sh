#!/bin/sh
# man.sh FOLDER: writes the manual pages into it: atomc(1), atd(5) and atomc-tools(7), from docs/, `atomc --help=all` and `atomc --help=options`.
# Requires a built atomc ($ATOMC, default ./atomc); run from the repository's root.
set -eu
folder=$1 ATOMC=${ATOMC:-./atomc}
mkdir -p "$folder"
synopsis() {
    echo '.SH SYNOPSIS'
    echo '.nf'
    "$ATOMC" --help=all | awk '/^$/ { exit } { sub(/^usage:|^      /, ""); sub(/^ /, ""); gsub(/-/, "\\-"); print }'
    echo '.fi'
}
options=$folder/.options
# The options of atomc and of atomc run, with their sections.
"$ATOMC" --help=options | awk -F '\t' '
    function item(spelled, text) {
        gsub(/-/, "\\-", spelled)
        gsub(/\\/, "\\e", text)
        print ".TP\n.B " spelled "\n" text
    }
    $2 != "atomc" && $2 != "run" { next }
    $1 == "option" && ($2 != "run" || !(($4, $5) in seen)) {
        title = $2 == "run" ? "Options of atomc run" : substr($3, 1, length($3) - 1)
        if (title != section) print ".SS \"" (section = title) "\""
        if ($2 == "atomc" && $4 != "-o") seen[$4, $5] = 1
        item(($4 == "-" ? "" : $4) ($4 == "-" || $5 == "-" ? "" : ", ") ($5 == "-" ? "" : $5) ($6 == "-" ? "" : ($5 == "-" ? " " : "=") $6), $7)
    }
    $1 == "words" && $2 == "atomc" { item($3, $4) }' >"$options"
page() { # NAME SECTION ABOUT FILE...
    name=$1 section=$2 about=$3
    shift 3
    awk -v name="$name" -v section="$section" -v about="$about" -v options="$options" -f scripts/man.awk "$@"
}
# Standard input: a line of description, then the line to type, and so on; `-` continues the example before.
examples() {
    echo '.SH EXAMPLES'
    awk 'NR % 2 { if ($0 != "-") { gsub(/-/, "\\-"); print ".TP\n" toupper(substr($0, 1, 1)) substr($0, 2) } else print ".br"; next }
        { gsub(/\\/, "\\e"); gsub(/-/, "\\-"); print "\\fB" $0 "\\fP" }'
}
{
    page atomc 1 'compile a tool description and instrument an Alpha/Linux program with it' /dev/null
    synopsis
    page atomc 1 '' docs/command.md | sed '1,/^\.SH NAME/d' | sed 1d
    examples <<'END'
where the instructions of a program go
atomc run -t prof -- ./program
the misses of a cache of 8 KB, drawn
atomc run -t cache -D size=8192 --chart -- ./program
the calls of one procedure, by a page in the command
atomc run -e 'counter n for p in procs where p.name == "f" { before p n++ } report "-" "Calls" n' -- ./program
an instrumented program, to be run later as the plain one
atomc -t coverage program -o program.atom
what a tool needs and may be told
atomc --help cache
END
} >"$folder/atomc.1"
# The pages of the language, in the order of the manual.
{
    page atd 5 'the language of tool descriptions for atomc' docs/language.md docs/c-routines.md docs/reference.md
    examples <<'END'
a page: how often each procedure is called, ten rows
counter calls[procs]
-
for p in procs { before p calls[p]++ }
-
report "-" for p in procs sorted by calls[p] descending top 10 "Procedure" p.name, "Calls" calls[p]
END
} >"$folder/atd.5"
{
    page atomc-tools 7 'the stock tools of atomc' docs/tools.md
    examples <<'END'
a tool
atomc run -t prof -- ./program
two tools at once, one with a parameter
atomc run -t dyninst -t cache -D cache.size=8192 -- ./program
errors of memory
atomc run -t third -- ./program
END
} >"$folder/atomc-tools.7"
rm "$options"
