#!/bin/bash
# editors.sh: the syntax files of the editors have the language's words, all and no others.
# Requires: atomc (ATOMC); run from the repository's root. editors/update.sh writes what is wrong here.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r editors/vim editors/vscode "$scratch"
export ATOMC

ATOMC=$ATOMC editors/update.sh "$scratch"
for editor in vim vscode; do
    if diff -r "editors/$editor" "$scratch/$editor" >"$scratch/difference"; then
        passed "editors/$editor"
    else
        failed "editors/$editor" "words are missing or too many: editors/update.sh writes them" "$scratch/difference"
    fi
done

# The lists are there, each in the place for it, and the scanner's words are among them.
for word in $(sed -n 's/^"\([a-z0-9]*\)" *WORD(.*/\1/p' grammar/atd.l); do
    grep -q -E "^syn keyword atd(Word|Constant) (.* )?$word( |\$)" editors/vim/syntax/atd.vim || echo "vim: $word"
    grep -E '"(keyword.control|constant.language).atd"' editors/vscode/syntaxes/atd.tmLanguage.json |
        grep -q -E "[(|]$word[|)]" || echo "vscode: $word"
done >"$scratch/missing"
for value in addr taken a5 fret arg; do
    grep -q -E "atdValue .*[(|]$value[\\|]" editors/vim/syntax/atd.vim || echo "vim: \$$value"
    grep '"variable.language.atd"' editors/vscode/syntaxes/atd.tmLanguage.json | grep -q -E "[(|]$value[|)]" || echo "vscode: \$$value"
done >>"$scratch/missing"
if [ -s "$scratch/missing" ]; then
    failed editors/words "words without a colour" "$scratch/missing"
else
    passed editors/words
fi

if command -v python3 >/dev/null; then
    good=1
    for file in editors/vscode/*.json editors/vscode/syntaxes/*.json; do
        python3 -m json.tool "$file" >/dev/null 2>"$scratch/error" || good=0
    done
    if [ $good = 1 ]; then passed editors/json; else failed editors/json "no JSON" "$scratch/error"; fi
else
    skipped editors/json "no python3"
fi
exit "$((failures > 0))"
