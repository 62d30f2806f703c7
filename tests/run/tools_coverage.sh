#!/bin/bash
# tools_coverage.sh: coverage against the oracle's counts of the uninstrumented program by readelf's lines, and as lcov and
# genhtml read it.
# Requires: atomc (ATOMC), the oracle, qemu-alpha, the test programs, lcov; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

# The records of a file, sorted: DA, FNDA and BRDA with the source file's name without its folder, as readelf says it.
records() {
    awk '/^SF:/ { file = $0; sub(/^SF:/, "", file); sub(/.*\//, "", file) }
        /^DA:/ { split($0, f, /[:,]/); at = file ":" f[2]; if (!(at in most) || f[3] > most[at]) most[at] = f[3] + 0 }
        /^FNDA:/ { sub(/:/, ":" file ":"); print }
        /^BRDA:/ { split($0, f, /[:,]/); print "BRDA:" file ":" f[2] "," f[4] "," f[5] }
        END { for (at in most) print "DA:" at "," most[at] }' "$1" | sort
}

# What the oracle counted, in the same form.
expected_records() {
    source_lines
    awk -F'\t' '/^#/ { next }
        FNR == NR { executed[$1] = $3; taken[$1] = $4; untaken[$1] = $5; next }
        $3 ~ /:[1-9][0-9]*$/ {
            place = $3; sub(/:[0-9]*$/, ":", place); line = $3; sub(/.*:/, "", line); count = executed[$1] + 0
            if (!((place line) in most) || count > most[place line]) most[place line] = count
            if ($2 ~ /^f?b(eq|ne|lt|le|gt|ge|lbc|lbs)$/) {
                print "BRDA:" place line ",0," (count ? taken[$1] + 0 : "-")
                print "BRDA:" place line ",1," (count ? untaken[$1] + 0 : "-")
            }
        }
        END { for (key in most) { at = key; sub(/:[0-9]*$/, ":", at); n = key; sub(/.*:/, "", n); print "DA:" at n "," most[key] } }' \
        "$base/oracle.txt" "$base/lines" | sort
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/coverage/$1-$2/$3
    run_plain "$1" -plugin "$BUILD/tests/oracle.so,out=$base/oracle.txt"
    expected_records >"$base/expected"
    run_tool "$test" "$1" coverage || return 0
    records "$base/found/files/coverage.info" >"$base/rows"
    grep -v ^FNDA "$base/rows" >"$base/found.records"
    equal "$test" "$base/expected" "$base/found.records"
    check_functions "$test/functions"
    command -v lcov >/dev/null || return 0
    {
        awk '/^DA:/ { lines++; hit += !/,0$/ } END { print "lines", hit + 0, lines + 0 }' "$base/found/files/coverage.info"
        sed -n 's/^FNDA:\([^:]*\):[0-9]*,/\1 /p' "$base/rows" | sort -u | awk 'END { print "functions", NR }'
        awk '/^BRDA:/ { ways++; hit += !/,(0|-)$/ } END { print "branches", hit + 0, ways + 0 }' "$base/expected"
    } >"$base/summary"
    lcov --rc lcov_branch_coverage=1 --summary "$base/found/files/coverage.info" 2>&1 |
        sed -n 's/^ *\(lines\|branches\)[.]*: .*(\([0-9]*\) of \([0-9]*\) .*/\1 \2 \3/p; s/^ *\(functions\)[.]*: .*(\([0-9]*\) of \([0-9]*\) .*/\1 \3/p' \
            >"$base/lcov"
    equal "$test/lcov" "$base/summary" "$base/lcov"
}

# Procedures whose entries the oracle tells, by name.
check_functions() { # TEST
    list_procedures
    entries "$base/oracle.txt" | sed 's/^0x0*/0x/' | sort >"$base/entries"
    sort "$base/procedures" | join -t'	' - "$base/entries" | awk -F'\t' '{ n[$2] += $3; seen[$2]++ } END { for (p in n) print p "\t" n[p] }' |
        sort >"$base/by_name"
    sed -n 's/^FNDA:[^:]*:\([0-9]*\),\(.*\)/\2\t\1/p' "$base/rows" | tr ' ' _ |
        awk -F'\t' '{ n[$1] += $2 } END { for (p in n) print p "\t" n[p] }' | sort | join -t'	' - "$base/by_name" >"$base/both"
    cut -f1,3 "$base/both" >"$base/expected.functions"
    cut -f1,2 "$base/both" >"$base/found.functions"
    equal "$1" "$base/expected.functions" "$base/found.functions"
}

if ! command -v lcov >/dev/null; then
    skipped tools/coverage/lcov "lcov is not installed (Debian's package lcov)"
fi
each_workload check "bzip2-O2:decompress lzip-O2:damaged"

# genhtml shows the example's source with the counts.
if command -v genhtml >/dev/null; then
    cp docs/examples/primes.c "$base"
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$base/primes.c" -o "$base/primes"
    if "$ATOMC" -t coverage "$base/primes" -o "$base/primes.atom" >"$base/log" 2>&1 &&
        (cd "$base" && "$(command -v "$QEMU")" ./primes.atom && genhtml --branch-coverage coverage.info -o pages) >"$base/log" 2>&1; then
        sed -n 's/^DA://p' "$base/coverage.info" | tr , ' ' | sort -n >"$base/expected"
        find "$base/pages" -name 'primes.c.gcov.html' -exec cat {} + | sed 's/<[^>]*>/ /g' |
            sed -n 's/^ *\([0-9]*\) .*: *\([0-9][0-9]*\) : .*/\1 \2/p' | sort -n >"$base/rows"
        equal tools/coverage/genhtml "$base/expected" "$base/rows"
    else
        failed tools/coverage/genhtml "it fails" "$base/log"
    fi
fi
[ "$failures" = 0 ]
