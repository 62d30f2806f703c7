#!/bin/sh
# stock.sh FIELD: the text after `# FIELD:` in the page of each stock tool that has such a line: lines of TOOL, a tab, the text.
# Run from anywhere. The tools are listed only in their own pages: groups, tests and measurements read the pages.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
awk -v mark="# $1:" 'index($0, mark) == 1 {
    tool = FILENAME
    sub(/.*\//, "", tool)
    sub(/\.atd$/, "", tool)
    text = substr($0, length(mark) + 1)
    sub(/^ +/, "", text)
    print tool "\t" text
}' "$top"/stdtools/*.atd
