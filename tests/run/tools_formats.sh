#!/bin/bash
# tools_formats.sh: pixie and prof, by procedure, source line and instruction, as callgrind_annotate and flame graphs read them,
# against the oracle's counts of the uninstrumented program by readelf's lines.
# Requires: atomc (ATOMC), the oracle, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

sums() { # lines NAME <tab> NUMBER: added up by name, sorted
    awk -F'\t' '{ sum[$1] += $2 } END { for (name in sum) if (sum[name]) printf "%s\t%.0f\n", name, sum[name] }' | sort
}
folded() { # FILE
    sed 's/ \([0-9]*\)$/\t\1/' "$1" | tr ' ' _ | sums
}
# By procedure, as callgrind_annotate reads a file.
annotated() { # FILE
    callgrind_annotate --threshold=100 --auto=no "$1" 2>&1 |
        awk '/file:function/ { rows = 1; next } rows && /^ *[0-9,]+ /' |
        sed 's/^ *\([0-9,]*\) *([^)]*) *[^:]*:\(.*\)$/\2\t\1/; s/ \[.*\]\t/\t/; s/,//g' | tr ' ' _ | sums
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/pixie/$1-$2/$3 files=$base/found/files
    run_plain "$1" -plugin "$BUILD/tests/oracle.so,out=$base/oracle.txt"
    list_procedures
    source_lines
    grep '^0x' "$base/oracle.txt" | cut -f1,3 | awk '$2 > 0' | sort >"$base/executed"
    awk -F'\t' 'NR == FNR { start[++n] = $1; name[n] = $2; next } { while (at < n && start[at + 1] <= $1) at++; print name[at] "\t" $2 }' \
        "$base/procedures" "$base/executed" | sums >"$base/by_procedure"
    awk -F'\t' 'NR == FNR { executed[$1] = $2; next } $1 in executed {
            sum[$3] += executed[$1]; if (executed[$1] > most[$3]) most[$3] = executed[$1] }
        END { for (line in sum) printf "%s\t%.0f\t%.0f\n", line, most[line], sum[line] }' "$base/executed" "$base/lines" | sort >"$base/by_line"
    if run_tool "$test" "$1" pixie -D procedures=true -D lines=true -D instructions=true -D callgrind=true -D folded=true; then
        sed -e 1d -e '/^total/d' "$files/pixie.procedures.out" | cut -f2,4 | awk -F'\t' '{ print $2 "\t" $1 }' | tr ' ' _ | sums >"$base/rows"
        equal "$test/procedures" "$base/by_procedure" "$base/rows"
        folded "$files/pixie.out.folded" >"$base/rows"
        equal "$test/folded" "$base/by_procedure" "$base/rows"
        sed 1d "$files/pixie.instructions.out" | cut -f1,2 | sort >"$base/rows"
        equal "$test/instructions" "$base/executed" "$base/rows"
        sed 1d "$files/pixie.lines.out" | awk -F'\t' '{ sub(/.*\//, "", $1); line = $2 ? $1 ":" $2 : "?"
                sum[line] += $4; if ($3 > most[line]) most[line] = $3 }
            END { for (line in sum) printf "%s\t%.0f\t%.0f\n", line, most[line], sum[line] }' | sort >"$base/rows"
        equal "$test/lines" "$base/by_line" "$base/rows"
        cut -f1,3 "$base/by_line" >"$base/line_sums"
        awk '/^fi=/ { file = substr($0, 4); sub(/.*\//, "", file) } /^[0-9]+ [0-9]+$/ { print ($1 ? file ":" $1 : "?") "\t" $2 }' \
            "$files/pixie.out.callgrind" | sums >"$base/rows"
        equal "$test/callgrind" "$base/line_sums" "$base/rows"
        if command -v callgrind_annotate >/dev/null; then
            annotated "$files/pixie.out.callgrind" >"$base/rows"
            equal "$test/callgrind_annotate" "$base/by_procedure" "$base/rows"
        fi
    fi
    test=tools/prof/$1-$2/$3
    if run_tool "$test" "$1" prof -D callgrind=true -D folded=true; then
        folded "$files/prof.out.folded" >"$base/rows"
        equal "$test/folded" "$base/by_procedure" "$base/rows"
        if command -v callgrind_annotate >/dev/null; then
            annotated "$files/prof.out.callgrind" >"$base/rows"
            equal "$test/callgrind_annotate" "$base/by_procedure" "$base/rows"
        fi
    fi
}

command -v callgrind_annotate >/dev/null || skipped tools/formats/callgrind_annotate "it is not installed (Debian's package valgrind)"
each_workload check "bzip2-O2:decompress lzip-O2:damaged"
[ "$failures" = 0 ]
