#!/bin/sh
# man.sh FOLDER: writes the manual pages into it: atomc(1), atd(5) and atomc-tools(7), from docs/ and `atomc --help=all`.
# Requires a built atomc ($ATOMC, default ./atomc); run from the repository's root.
set -eu
folder=$1 ATOMC=${ATOMC:-./atomc}
mkdir -p "$folder"
help=$("$ATOMC" --help=all) run=$("$ATOMC" run --help)
synopsis() {
    echo '.SH SYNOPSIS'
    echo '.nf'
    echo "$help" | awk '/^$/ { exit } { sub(/^usage:|^      /, ""); sub(/^ /, ""); gsub(/-/, "\\-"); print }'
    echo '.fi'
}
options=$folder/.options
printf '%s\n\nOptions of atomc run:\n%s\n' "$help" "$(echo "$run" | sed -n '/^  -/,/^$/p')" | awk -v form=man -f scripts/options.awk >"$options"
page() { # NAME SECTION ABOUT FILE...
    name=$1 section=$2 about=$3
    shift 3
    awk -v name="$name" -v section="$section" -v about="$about" -v options="$options" -f scripts/man.awk "$@"
}
{
    page atomc 1 'compile a tool description and instrument an Alpha/Linux program with it' /dev/null
    synopsis
    page atomc 1 '' docs/command.md docs/run.md | sed '1,/^\.SH NAME/d' | sed 1d
} >"$folder/atomc.1"
# The pages of the language, in the order of the manual.
page atd 5 'the language of tool descriptions for atomc' docs/language.md docs/reference.md >"$folder/atd.5"
page atomc-tools 7 'the stock tools of atomc' docs/tools.md >"$folder/atomc-tools.7"
rm "$options"
