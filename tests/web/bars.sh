#!/bin/bash
# bars.sh ROWS PAGE: puts the rows that make bench-workbench has measured into the table of PAGE between its lines with "bars", with the date and
# the machine's load.
set -eu
grep -q '^| ' "$1"
load=$(cut -d' ' -f1 /proc/loadavg) date=$(LC_ALL=C date '+%-d %B %Y')
awk -v rows="$1" -v load="$load" -v date="$date" '
/^<!-- bars -->$/ {
    inside = 1
    print
    print "On " date ", two cores, with a load of " load " at the end:\n\n| what | measured | under | others made the machine so many times as slow |\n|---|---|---|---|"
    while ((getline line <rows) > 0) print line
}
/^<!-- end of bars -->$/ { inside = 0; found = 1 }
!inside
END { exit !found }' "$2" >"$2.new" || { rm -f "$2.new" && echo "$2 has no lines <!-- bars -->" >&2 && exit 1; }
mv "$2.new" "$2"
cat "$1"
