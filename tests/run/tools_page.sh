#!/bin/bash
# tools_page.sh: docs/tools.md is what scripts/tools.sh makes of the stock tools, and atomc says all that they say of themselves.
# Requires: atomc (ATOMC); run from the repository's root.
set -u
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp)
trap 'rm -f "$scratch"*' EXIT
if scripts/tools.sh | diff docs/tools.md - >"$scratch" 2>&1; then
    passed tools_page
else
    failed tools_page "docs/tools.md is old: scripts/tools.sh >docs/tools.md" "$scratch"
fi
# --help says the whole heading of a tool, and each parameter with its help; --list its purpose.
"$ATOMC" --list >"$scratch.list"
for tool in stdtools/*.atd; do
    name=$(basename "$tool" .atd)
    {
        sed -n '/^#/!q; s/^# \{0,1\}//p' "$tool" | sed '1,/^$/d'
        sed -n "s/^tool $name \"\(.*\)\"$/$name: \1/p" "$tool"
        # shellcheck disable=SC2046 # names have no blanks
        sed -n 's/^param \([a-z]*\) \([a-z_0-9]*\) = .*/\2 \1/p' "$tool" $(sed -n 's/^include "\(.*\)"$/stdtools\/\1/p' "$tool")
    } | tr -s ' ' | sed 's/^ //' | sort >"$scratch.wanted"
    "$ATOMC" --help "$name" | tr -s ' ' | sed 's/^ //; s/^\([a-z_0-9]*\) \(string\|int\|boolean\) =.*/\1 \2/; /^parameters, set by/d' |
        sort >"$scratch.said"
    grep "^$name  *" "$scratch.list" | sed "s/^$name  */$name: /" >>"$scratch.said"
    sed -n "s/^tool $name \"\(.*\)\"$/$name: \1/p" "$tool" >>"$scratch.wanted"
    if diff <(grep -v '^$' "$scratch.wanted") <(grep -v '^$' "$scratch.said") >"$scratch"; then
        passed "tools_page/help/$name"
    else
        failed "tools_page/help/$name" "--help or --list does not say all (<)" "$scratch"
    fi
done
[ "$failures" = 0 ]
