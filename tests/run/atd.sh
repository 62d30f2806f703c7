#!/bin/sh
# atd.sh: runs atomc over tests/atd: wrong tools against their exact diagnostics, right ones against their plans.
# Requires $ATOMC (default ./atomc); `atd.sh --update` writes what is missing. One line per case, a diff on failure.
#
#   errors/NAME.atd + NAME.expected   diagnostics of `atomc --check NAME.atd [NAME.c]`, exit status 1
#                                     (0 if there are only warnings)
#   plans/NAME.atd + NAME.plan        output of `atomc --check --dump=plan NAME.atd [NAME.c]`, exit status 0
# What the folders included/ hold is included by cases. Adding a case is adding its files. Diagnostics name files as given: the commands run in the case's folder.

top=$(cd "$(dirname "$0")/../.." && pwd)
ATOMC=${ATOMC:-$top/atomc}
case $ATOMC in
/*) ;;
*) ATOMC=$(pwd)/$ATOMC ;;
esac
update=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP
failed=0

verdict() { # name, status wanted, status got, expected text, actual text
    if [ ! -e "$4" ] && [ "$update" = --update ] && [ "$2" = "$3" ]; then
        cp "$5" "$4"
    fi
    if [ "$2" = "$3" ] && cmp -s "$4" "$5"; then
        echo "ok $1"
        return
    fi
    failed=1
    echo "not ok $1"
    [ "$2" = "$3" ] || echo "  exit status $3, expected $2"
    diff -u "$4" "$5" | sed 's/^/  /'
}

for tool in "$top"/tests/atd/errors/*.atd; do
    name=$(basename "$tool" .atd)
    cd "$top/tests/atd/errors" || exit 2
    source=
    [ -e "$name.c" ] && source=$name.c
    "$ATOMC" --check "$name.atd" $source >"$work/out" 2>"$work/text"
    status=$?
    wanted=1
    [ -e "$name.expected" ] && ! grep -q ' error: ' "$name.expected" && wanted=0
    [ ! -e "$name.expected" ] && [ "$update" = --update ] && wanted=$status
    verdict "atd/errors/$name" $wanted $status "$name.expected" "$work/text"
done

for tool in "$top"/tests/atd/plans/*.atd; do
    name=$(basename "$tool" .atd)
    cd "$top/tests/atd/plans" || exit 2
    source=
    [ -e "$name.c" ] && source=$name.c
    "$ATOMC" --check --dump=plan "$name.atd" $source >"$work/text" 2>"$work/errors"
    status=$?
    cat "$work/errors" >>"$work/text"
    verdict "atd/plans/$name" 0 $status "$name.plan" "$work/text"
done
exit $failed
