#!/bin/sh
# update.sh: writes the language's words into the syntax files of the editors: update.sh [FOLDER], default this one.
# Requires a built atomc ($ATOMC): words come from the scanner, all else from the tables that `atomc info` prints.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
ATOMC=${ATOMC:-$folder/../atomc}
target=${1:-$folder}

bar() { # lines on standard input as a|b|c, longest first where one begins another
    sort -r -u | paste -s -d '|' -
}
blank() {
    sort -u | paste -s -d ' ' -
}
column() { # TABLE NUMBER
    "$ATOMC" info "$1" | awk -v number="$2" 'NR > 1 { sub(/\(r\)/, "", $number); print $number }'
}
# What the scanner knows, but for what has a colour of its own.
words() {
    awk -f "$folder/../grammar/operators.awk" "$folder/../plan/operators.def" "$folder/../grammar/atd.l" |
        sed -n 's/^"\([a-z0-9]*\)" *WORD(.*/\1/p' | grep -v -x -e true -e false
}
# Singular and plural.
places() {
    { column places 1; column places 2; } | grep -v -x -e -
}
# The registers that have a word of their own among the values are in compiler/dynamic.c.
values() {
    { column values 1 | sed -n 's/^\$\([a-z_]*\).*/\1/p'; printf '%s\n' a0 a1 a2 a3 a4 a5 v0 sp; } | grep .
}
# A class that is a word of the language too keeps the word's colour.
classes() {
    words >"$target/.words"
    column classes 1 | grep -v -x -F -f "$target/.words"
    rm "$target/.words"
}

sed -i -e "s/^syn keyword atdWord .*/syn keyword atdWord $(words | blank)/" \
    -e "s/^syn keyword atdPlace .*/syn keyword atdPlace $(places | blank)/" \
    -e "s/^syn keyword atdClass .*/syn keyword atdClass $(classes | blank)/" \
    -e "s/^\(syn match atdAttribute \"[^(]*(\).*\(\\\\)\\\\>\"\)$/\1$(column attributes 2 | bar | sed 's/|/\\\\|/g')\2/" \
    -e "s/^\(syn match atdValue \"[^(]*(\).*\(\\\\)\\\\>\\\\|.*\)$/\1$(values | bar | sed 's/|/\\\\|/g')\2/" \
    "$target/vim/syntax/atd.vim"
json() { # SCOPE WORDS: into the first group of parentheses behind \b or \$
    sed -i "/\"$1\"/s/\(\\\\\\\\[b\$](\)[^)]*)/\1$2)/" "$target/vscode/syntaxes/atd.tmLanguage.json"
}
json keyword.control.atd "$(words | bar)"
json storage.type.place.atd "$(places | bar)"
json support.constant.class.atd "$(classes | bar)"
json variable.other.member.atd "$(column attributes 2 | bar)"
json variable.language.atd "$(values | bar)"
