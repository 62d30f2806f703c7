# tools_formats: pixie and prof, by procedure, source line and instruction, as callgrind_annotate and flame graphs read them,
# against the oracle's counts of the uninstrumented program by readelf's lines.
. "$tests/lib/tools.sh"

sums() { # lines NAME <tab> NUMBER: added up by name, sorted
    awk -F'\t' '{ sum[$1] += $2 } END { for (name in sum) if (sum[name]) printf "%s\t%.0f\n", name, sum[name] }' | sort
}
by_line() { # lines LINE <tab> MOST <tab> SUM: the most of the parts, and their sum, sorted
    awk -F'\t' '{ sum[$1] += $3; if ($2 > most[$1]) most[$1] = $2 }
        END { for (line in sum) printf "%s\t%.0f\t%.0f\n", line, most[line], sum[line] }' | sort
}
# By procedure, as callgrind_annotate and flame graphs read a file.
annotated() { # FILE
    callgrind_annotate --threshold=100 --auto=no "$1" 2>&1 |
        awk '/file:function/ { rows = 1; next } rows && /^ *[0-9,]+ /' |
        sed 's/^ *\([0-9,]*\) *([^)]*) *[^:]*:\(.*\)$/\2\t\1/; s/ \[.*\]\t/\t/; s/,//g' | tr ' ' _ | sums
}
folded() { # FILE
    sed 's/ \([0-9]*\)$/\t\1/' "$1" | tr ' ' _ | sums
}

check_formats() { # NAME LEVEL WORKLOAD
    local tool test files=found/files
    run plain "$program" -plugin "$oracle,out=$scratch/oracle.txt"
    list_procedures
    source_lines
    grep '^0x' oracle.txt | cut -f1,3 | awk '$2 > 0' | sort >executed
    awk -F'\t' \
        'NR == FNR { start[++n] = $1; name[n] = $2; next } { while (at < n &&
            start[at + 1] <= $1) at++; print name[at] "\t" $2 }' \
        procedures executed | sums >procedures.expected
    awk -F'\t' 'NR == FNR { executed[$1] = $2; next } $1 in executed { print $3 "\t" executed[$1] "\t" executed[$1] }' executed \
        lines |
        by_line >lines.expected
    cut -f1,3 lines.expected >sums.expected
    for tool in prof pixie; do
        test=$tool/$1-$2/$3
        # shellcheck disable=SC2046
        run_tool "$test" $tool -D callgrind=true -D folded=true \
            $([ $tool = prof ] || echo -D procedures=true -D lines=true -D instructions=true)
        folded $files/$tool.out.folded >rows
        same "$test/folded" procedures.expected rows
        if command -v callgrind_annotate >log; then
            annotated $files/$tool.out.callgrind >rows
            same "$test/callgrind_annotate" procedures.expected rows
        else
            skipped "$test/callgrind_annotate" "it is not installed (Debian's package valgrind)"
        fi
    done
    # More files of pixie: each by procedure, instruction and line.
    sed -e 1d -e '/^total/d' $files/pixie.out.procedures | awk -F'\t' '{ print $4 "\t" $2 }' | tr ' ' _ | sums >rows
    same "$test/procedures" procedures.expected rows
    sed 1d $files/pixie.out.instructions | cut -f1,2 | sort >rows
    same "$test/instructions" executed rows
    sed 1d $files/pixie.out.lines | awk -F'\t' '{ sub(/.*\//, "", $1); print ($2 ? $1 ":" $2 : "?") "\t" $3 "\t" $4 }' |
        by_line >rows
    same "$test/lines" lines.expected rows
    awk '/^fi=/ { file = substr($0, 4); sub(/.*\//, "", file) } /^[0-9]+ [0-9]+$/ { print ($1 ? file ":" $1 : "?") "\t" $2 }' \
        $files/pixie.out.callgrind | sums >rows
    same "$test/callgrind" sums.expected rows
}
each_workload check_formats
