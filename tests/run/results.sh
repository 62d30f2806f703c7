# results: atomc merge, diff and collect: laws, refusals, and numbers against the runs' own.
cat >program.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) long inner(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
__attribute__((noinline)) long once(long n) { return inner(n) + inner(2 * n); }
int main(int count, char **words) { long n = atol(words[1]), sum = 0; for (long i = 0; i < n; i++) sum += once(i); return sum == 1; }
END
alpha program program.c -g
instrument_with() { # TOOL: the program, to run under names of one length
    "$ATOMC" -t "$1" program -o program.tool
}
results() { # FOLDER ARGUMENT
    env -i ATOMC_FORMAT=rows ATOMC_OUT="$1" "$QEMU" -seed 1 ./program.tool "$2"
}
rows_of() { # FILE: without the header, whose count of merged files is another
    sed 1d "$1"
}

rounded() { # FILE: its rows, without real numbers, which the runtime rounds, and without columns that cannot be merged
    jq -c -s '.[0].columns as $columns | .[1:-1][] |
        [range(length) as $i | select($columns[$i].type != "real" and $columns[$i].merge != "none") | .[$i]]' "$1" | sort
}

# `top` is not applied: the rows are the rows without it, each one time, in the same order.
for top in 20 ''; do
    cat >busiest.atd <<END
tool busiest
counter calls[procs]
for p in procs {
    before p    calls[p]++
}
report "busiest.out" for p in procs where calls[p] > 0
    sorted by calls[p] descending
    ${top:+top $top}
    "Procedure" p.name, "Calls" calls[p]
END
    "$ATOMC" busiest.atd program -o program.tool
    results "busiest$top" 10
    sed '1d; $d' "busiest$top/busiest.1.rows" >"rows$top"
done
check top/rows "diff rows rows20 && [ \$(wc -l <rows) -gt 40 ] && sort rows | uniq -d | diff /dev/null -"

for tool in prof loops cache; do
    instrument_with $tool
    for run in 1:10 2:25 3:70; do results "$tool.${run%:*}" "${run#*:}"; done
    "$ATOMC" merge --format=rows $tool.1 $tool.2 $tool.3 -o whole.rows
    "$ATOMC" merge --format=rows $tool.3 $tool.1/$tool.1.rows $tool.2 -o other.rows
    "$ATOMC" merge $tool.1 $tool.2 $tool.3 -o ending.rows
    check $tool/ending "diff whole.rows ending.rows"
    check $tool/order "[ \$(wc -l <whole.rows) -gt 2 ] && diff whole.rows other.rows"
    "$ATOMC" merge --format=rows $tool.1 $tool.2 -o part.rows
    "$ATOMC" merge --format=rows part.rows $tool.3 -o other.rows
    check $tool/parts "diff <(rows_of whole.rows) <(rows_of other.rows)"
    "$ATOMC" merge --format=rows $tool.1 -o other.rows
    check $tool/alone "diff <(rounded $tool.1/$tool.1.rows) <(rounded other.rows)"
done

# Rows that are grouped by places remain separate, whatever distinguishes them.
"$ATOMC" -t callgraph -t dyninst -t pixie -D procedures=true -D lines=true program -o program.tool
results grouped 10
for file in grouped/*.rows; do
    "$ATOMC" merge --format=rows "$file" -o other.rows
    check "grouped/$(jq -r -s '.[0].report' "$file")" "diff <(rounded $file) <(rounded other.rows)"
done
check grouped/all '[ $(ls grouped/*.rows | wc -l) = 5 ]'

# Sums are sums over the runs; shares and ratios follow from the sums.
for run in 1 2 3; do jq -r 'select(type == "array") | "\(.[0]) \(.[1])"' prof.$run/prof.1.rows; done |
    awk '{ sum[$1] += $2; all += $2 } END { for (pc in sum) printf "%s\t%d\t%.2f\n", pc, sum[pc], 100 * sum[pc] / all }' |
    sort >expected
"$ATOMC" merge prof.1 prof.2 prof.3 | sed 1d | cut -f1-3 | sort >found
same sums expected found
"$ATOMC" merge loops.1 loops.2 loops.3 | awk -F '\t' 'NR > 1 && int($4 / $3) != $5' >wrong
check ratios "[ ! -s wrong ] && '$ATOMC' merge loops.1 loops.2 | grep -q inner" wrong
"$ATOMC" merge --by=procedure --format=csv prof.1 prof.2 prof.3 | sed 1d | grep -c , >found
check by "[ \$(cat found) = \$('$ATOMC' merge --by=Procedure --format=json prof.1 prof.2 prof.3 | jq '.rows | length') ]"

# By a column that has the name of the page's variable, and by a column with a comma: hidden columns have such names,
# too.
cat >letters.atd <<'END'
tool letters
counter n[procs]
for p in procs { before p n[p]++ }
report "letters.out" for p in procs where p.name == "main" "P" p.name, "Place, known" p.file, "Calls" n[p]
END
alpha another -x c - <<<'int main(void) { return 3; }'
"$ATOMC" letters.atd program -o program.tool
results letters.1 1
cp program kept
"$ATOMC" letters.atd another -o program.tool
results letters.2 1 || true
mv kept program
for by in P "place, KNOWN,P"; do
    "$ATOMC" merge --by="$by" letters.1 letters.2 |
        awk -F'\t' 'NR > 1 { n++; calls += $NF } END { print n, calls }' >"found.${by%%,*}"
done
check by/letters "[ \"\$(cat found.P)\" = '1 2' ] && [ -s found.place ]" found.P
"$ATOMC" merge letters.1 letters.2 2>errors >found && status=0 || status=$?
check by/hint "[ $status = 1 ] && grep -q -e '--by=P puts' errors" errors
"$ATOMC" merge --by=Q letters.1 letters.2 2>errors >found && status=0 || status=$?
check by/unknown "[ $status = 1 ] && grep -q 'such columns are: P, Place, known\|did you mean .P.' errors" errors

# A sum beyond 64 bits is refused, with a message.
printf 'tool big\ncounter n\nbefore program n += 0x7000000000000000\nreport "big.out" "N" n\n' >big.atd
"$ATOMC" big.atd program -o program.tool
results big.1 1
results big.2 1
status=0
"$ATOMC" merge big.1 big.2 >found 2>errors || status=$?
check overflow "[ $status = 1 ] && grep -q 'more than 64 bits' errors" errors

# ---- trees ----------------------------------------------------------------------------------------------------------

folded() { # FILE...: a tree's paths, and the instructions of each
    jq -rn 'reduce inputs as $row ({}; if ($row |
        type) == "array" then .["\($row[0])"] = (if $row[1] == 0 then "" else .["\($row[1])"][0] + ";" end +
        $row[2] | [., $row[6]]) else . end) | .[] | select(.[1] > 0) | "\(.[0]) \(.[1])"' "$1"
}
"$ATOMC" -t hiprof -D folded=true program -o program.tool
for run in 1:10 2:25 3:70; do results "hiprof.${run%:*}" "${run#*:}"; done
folded hiprof.1/hiprof.2.rows | sort >found
sort hiprof.1/hiprof.out.folded >expected
same tree/folded expected found
jq -r 'arrays | "\(.[0]) \(.[4])"' hiprof.1/hiprof.1.rows | sort >expected
jq -n -r 'reduce (inputs | arrays) as $row ({}; .[$row[2]] += $row[6]) | to_entries[] |
    select(.value > 0) | "\(.key) \(.value)"' \
    hiprof.1/hiprof.2.rows | sort >found
same tree/procedures expected found
sums() { # lines PATH NUMBER: added up by path
    awk '{ sum[$1] += $2 } END { for (path in sum) print path, sum[path] }' | sort
}
trees="hiprof.1/hiprof.2.rows hiprof.2/hiprof.2.rows hiprof.3/hiprof.2.rows"
# shellcheck disable=SC2086
"$ATOMC" merge --format=rows $trees -o whole.rows
"$ATOMC" merge --format=rows hiprof.3/hiprof.2.rows hiprof.1/hiprof.2.rows -o part.rows
"$ATOMC" merge --format=rows part.rows hiprof.2/hiprof.2.rows -o other.rows
check tree/parts "diff <(rows_of whole.rows) <(rows_of other.rows)"
for tree in $trees; do folded "$tree"; done | sums >expected
folded whole.rows | sort >found
same tree/merged expected found
"$ATOMC" merge --by=Procedure --format=rows part.rows hiprof.2/hiprof.2.rows -o other.rows
jq -rn 'reduce inputs as $row ({}; if ($row |
    type) == "array" then .["\($row[0])"] = (if $row[1] == 0 then "" else .["\($row[1])"][0] + ";" end +
    $row[2] | [., $row[3]]) else . end) | .[] | select(.[1] > 0) | "\(.[0]) \(.[1])"' other.rows | sort >found
same tree/by expected found
"$ATOMC" diff --threshold=0 --format=json hiprof.1/hiprof.2.rows hiprof.3/hiprof.2.rows |
    jq -r '.rows[] | select(."Instructions B-A" != 0) | "\(.Path) \(."Instructions B-A")"' | sort >found
{
    folded hiprof.3/hiprof.2.rows
    folded hiprof.1/hiprof.2.rows | sed 's/ \([0-9]*\)$/ -\1/'
} | sums | grep -v ' 0$' >expected
same tree/diff expected found

# ---- exported -------------------------------------------------------------------------------------------------------

"$ATOMC" -t hiprof -D callgrind=true -D folded=true program -o program.tool
for run in 1:10 2:25; do results "calls.${run%:*}" "${run#*:}"; done
"$ATOMC" export --format=folded calls.1 | sort >found
sort calls.1/hiprof.out.folded >expected
same export/folded expected found
# For two runs, in speedscope's format: stacks of numbers of frames.
"$ATOMC" export --format=speedscope calls.1 calls.2 -o found.json
jq -r '.shared.frames as $frames | .profiles[0] | range(.samples | length) as $i |
    "\(.samples[$i] | map($frames[.].name) | join(";")) \(.weights[$i])"' \
    found.json | sort >found
cat calls.[12]/hiprof.out.folded | sums >expected
same export/speedscope expected found
check export/speedscope_sum "jq -e '.profiles | map([.name, .type, .unit, .startValue, .endValue == (.weights | add)]) ==
    [[\"Instructions\", \"sampled\", \"none\", 0, true], [\"Calls\", \"sampled\", \"none\", 0, true]]' found.json"
annotated() { # FILE
    callgrind_annotate --threshold=100 --auto=no --tree=both "$1" 2>&1 | sed '1,/^Instructions/d' | sort
}
"$ATOMC" export --format=callgrind calls.1 -o found.callgrind
if command -v callgrind_annotate >log; then
    annotated found.callgrind >found
    annotated calls.1/hiprof.out.callgrind >expected
    check export/callgrind "[ \$(wc -l <found) -gt 50 ] && diff expected found"
    "$ATOMC" export --format=callgrind prof.1 -o found.callgrind
    callgrind_annotate --threshold=100 --auto=no found.callgrind 2>&1 | awk '/PROGRAM TOTALS/ { gsub(",", ""); print $1 }' >found
    jq -n '[inputs | arrays | .[1]] | add' prof.1/prof.1.rows >expected
    same export/callgrind_procedures expected found
else
    skipped export/callgrind "callgrind_annotate is not installed (Debian's package valgrind)"
fi
"$ATOMC" -t coverage -D tables=true program -o program.tool
for run in 1:10 2:25; do results "lines.${run%:*}" "${run#*:}"; done
"$ATOMC" export --format=lcov lines.1 -o found.info
lcov_lines() { # FILE: its counts of lines, procedures and branches, by file; the numbers of branches are the writer's own
    awk -F'[:,]' '/^SF:/ { file = $2 } /^(DA|FN|FNDA):/ { print file, $0 } /^BRDA:/ { print file, $1, $2, $5 }' "$1" | sort
}
lcov_lines found.info >found
lcov_lines lines.1/coverage.out >expected
check export/lcov "[ \$(grep -c BRDA found) -gt 2 ] && diff expected found"
"$ATOMC" export --format=lcov lines.1 lines.2 | awk -F'[:,]' '/^FNDA:/ { print $3, $2 }' | sort >found
cat lines.[12]/coverage.out | awk -F'[:,]' '/^FNDA:/ { print $3, $2 }' | sums >expected
same export/lcov_runs expected found
if command -v genhtml >log; then
    check export/genhtml "genhtml --branch-coverage found.info -o pages >log 2>&1 &&
        grep -q 'functions[.]*: 100.0% (3 of 3' log" log
else
    skipped export/genhtml "it is not installed (Debian's package lcov)"
fi
cat >asked.atd <<'END'
tool asked "who calls inner"
counter at[string]
for p in procs where p.name == "inner" {
    before p at[$stack]++
}
report "asked.out" for row in at "Stack" row.key, "Calls" row.count
END
"$ATOMC" asked.atd program -o program.tool
results asked.1 10
"$ATOMC" export --format=folded asked.1 >found
prints export/stacks sed 's/.*;main;/main;/' found <<'END'
main;once;inner 20
END

# ---- what differs ---------------------------------------------------------------------------------------------------

"$ATOMC" diff prof.1 prof.2 --threshold=0 --format=json >found.json
join -a1 -a2 -e0 -o 0,1.2,2.2 <(jq -r 'select(type == "array") | "\(.[0]) \(.[1])"' prof.1/prof.1.rows | sort) \
    <(jq -r 'select(type == "array") | "\(.[0]) \(.[1])"' prof.2/prof.1.rows | sort) |
    awk '$2 != $3 { print $1, $3 - $2 }' | sort >expected
jq -r '.rows[] | "\(.PC) \(.["Instructions B-A"])"' found.json | sort >found
same diff/differences expected found
check diff/equal "[ \$(jq '.equal + .below + (.rows | length)' found.json) = \$(cat prof.[12]/prof.1.rows |
    jq -r 'arrays | .[0]' | sort -u | wc -l) ]"
"$ATOMC" diff prof.1 prof.2 >found
check diff/order "head -3 found | tail -1 | grep -q '^more.*inner' && tail -1 found | grep -q 'differ by less than 0.1 %'" found
# The headline: the sums of all rows, and the share by which B has more.
sums=($(for one in 1 2; do jq -s '[.[] | arrays | .[1]] | add' prof.$one/prof.1.rows; done))
percent=$(awk -v a="${sums[0]}" -v b="${sums[1]}" 'BEGIN { printf "%+.1f", 100 * (b - a) / a }')
check diff/headline "[ \"\$(head -1 found)\" = 'prof prof.out: Instructions ${sums[0]} in A, ${sums[1]} in B, $(printf %+d $((sums[1] - sums[0]))) ($percent %)' ]" found
check diff/totals "jq -e '.totals[0] |
    .title == \"Instructions\" and .a == ${sums[0]} and .b == ${sums[1]} and .difference == .b - .a and
        (.percent - 100 * .difference / .a | fabs) < 1e-9' found.json"
# --fail-above: the smallest whole per cent that it does not reach, and the one below it.
above=$(awk -v a="${sums[0]}" -v b="${sums[1]}" 'BEGIN { p = 100 * (b - a) / a; q = int(p); print q < p ? q + 1 : q }')
"$ATOMC" diff prof.1 prof.2 --fail-above=$above% >passed 2>log && status=0 || status=$?
check diff/not_above "[ $status = 0 ] && ! grep -q grew log && cmp -s passed found" log
"$ATOMC" diff prof.1 prof.2 --fail-above=$((above - 1)) -o failed >log 2>&1 && status=0 || status=$?
check diff/above "[ $status = 1 ] && cmp -s failed found &&
    grep -q 'error: prof prof.out: Instructions grew from ${sums[0]} in A to ${sums[1]} in B, by more than $((above - 1)) %' log" log
"$ATOMC" diff prof.2 prof.1 --fail-above=0 >log 2>&1 && status=0 || status=$?
check diff/fewer "[ $status = 0 ]" log
"$ATOMC" diff prof.1 prof.1 | sed -n '3,$p' >found
check diff/same "[ \$(wc -l <found) = 1 ] && grep -q ' rows are equal, 0 differ' found" found

# Another build: by procedure.
cp program kept
alpha program program.c -g -O0
instrument_with prof
results other 10
"$ATOMC" diff prof.1 other >found 2>log
check diff/builds "grep -q 'compared by Procedure' log && grep -q 'inner' found" log
mv kept program

# Two builds: instruction k of a procedure with the same instructions in both is compared with instruction k, at any
# address; other rows are compared by procedure. The other computation has the symbols' addresses from nm.
mkdir before after
cat >before/builds.c <<'END'
#include <stdlib.h>
#ifdef AFTER
__attribute__((noinline)) long added(long n) { return n * 3 ^ n; }
#else
#define added(n) 0
#endif
__attribute__((noinline)) static long twin(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
__attribute__((noinline)) long changed(long n) {
#ifdef AFTER
    if (n & 1) n += 5;
#endif
    return twin(n) + twin(2 * n);
}
__attribute__((noinline)) long branches(long n) { long k = 0; for (long i = 0; i < n; i++) k += i % 3 ? twin(i & 7) : changed(i); return k; }
long other(long n);
int main(int count, char **words) { long n = atol(words[1]), m = 0; for (long i = 0; i < n; i++) m += atol(words[1]); return (m + branches(n) + added(n) + other(n)) == 1; }
END
# Another `twin`, whose file is another.
echo '__attribute__((noinline)) static long twin(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
long other(long n) { return twin(n) + twin(3); }' >before/other.c
cp before/*.c after
cat >insts.atd <<'END'
tool insts "how often each instruction is executed"
counter n[insts]
for i in insts { before i n[i]++ }
report "insts.out" for i in insts where n[i] > 0 "PC" i.pc, "Count" n[i],
    "Procedure" i.proc.name, "File" i.proc.file, "Line" i.line
END
for build in before after; do
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax $([ $build = before ] || echo -DAFTER) $build/builds.c \
        $build/other.c -o $build/builds
    "$ATOMC" insts.atd $build/builds -o program.tool
    results insts.$build $([ $build = before ] && echo 20 || echo 35)
    alpha-linux-gnu-nm -S $build/builds | awk '$3 ~ /^[tTwW]$/ { print $4, $1, $2 }' | sort >$build/symbols
    # own: NAME+OFFSET, by the symbol or, for procedures of one name, by the file, then the count
    jq -r 'arrays | "\(.[0]) \(.[1]) \(.[2]) \(.[3])"' insts.$build/insts.1.rows | awk -v symbols=$build/symbols '
        function number(text,   i, value) {
            for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1;
                return value }
        BEGIN { while ((getline line <symbols) > 0) { split(line, word, " "); begin[word[1], ++count[word[1]]] = number(word[2]);
            size[word[1], count[word[1]]] = number(word[3]) } }
        { pc = number(substr($1, 3)); n = split($4, part, "/")
          for (i = 1; i <= count[$3]; i++) if (pc >= begin[$3, i] &&
              pc < begin[$3, i] + size[$3, i]) print $3 "/" part[n] "+" pc - begin[$3, i], $2, $1 }' |
        sort >$build/found
done
"$ATOMC" diff --threshold=0 --program=before/builds --program=after/builds --format=json insts.before \
    insts.after >found.json 2>log
join -a1 -a2 -e- -o 0,1.2,2.2,1.3 before/found after/found | awk '$2 != $3' >joined
jq -r '.rows[] | select(.File | test("(builds|other).c$")) |
    "\(.PC // .Procedure) \(."Count A" // "-") \(."Count B" // "-")"' found.json | sort >found
{
    grep -E '^(twin|branches|other)/' joined | awk '{ print $4, $2, $3 }'
    for name in changed main added; do
        sed -n "s|^$name/builds.c+[0-9]* \\([0-9]*\\) .*|\\1|p" before/found |
            awk '{ s += $1 } END { printf "%s", s ? s : "-" }' >sum
        sed -n "s|^$name/builds.c+[0-9]* \\([0-9]*\\) .*|\\1|p" after/found | awk '{ s += $1 } END { print s }' |
            sed "s/^/$name $(cat sum) /"
    done
} | sort >expected
same diff/code expected found
check diff/code_own "[ \$(grep -c ^0x expected) -gt 20 ] && [ \$(grep -c '^twin/other.c' joined) -gt 3 ] &&
    grep -q 'procedures have the same instructions in both' log" log
# For the library's procedures: a row with an address has the counts of both builds at the same distance from a symbol.
jq -r '.rows[] | select(.PC and (.File | test("(builds|other).c$") | not)) |
    "\(.PC) \(."Count A" // "-") \(."Count B" // "-")"' found.json | sort >found
awk '{ print $4, $2, $3 }' joined | sort >expected
comm -23 found expected >wrong
check diff/code_library "[ \$(wc -l <found) -gt 50 ] && [ ! -s wrong ]" wrong
check diff/code_sums "[ \$(jq '[.rows[] | .\"Count B-A\"] | add' found.json) = \$((\$(jq -n '[inputs | arrays | .[1]] |
    add' insts.after/insts.1.rows) - \$(jq -n '[inputs | arrays | .[1]] | add' insts.before/insts.1.rows))) ]"
check diff/code_forms \
    "[ \$('$ATOMC' diff --threshold=0 --program=before/builds --program=after/builds --format=csv insts.before insts.after 2>log | grep -c ,) = \$((\$(jq '.rows | length' found.json) + 1)) ] &&
        jq -e '.same_procedures > 100 and .same_procedures < .procedures' found.json"
"$ATOMC" diff insts.before insts.after >found 2>log
check diff/code_unknown "grep -q 'hint: --program=FILE' log && ! grep -q '^State.*PC' found" log

# A clone is compared with its procedure, of which another build may have none, or the whole.
mkdir cloned whole
cat >cloned/clones.c <<'END'
#include <stdlib.h>
#ifndef WHOLE
#define WHOLE
#endif
static __attribute__((noinline)) WHOLE long step(long n, long k) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i * k; return sum; }
int main(int count, char **words) { long n = atol(words[1]), sum = 0; for (long i = 0; i < n; i++) sum += step(i, 3); return sum == 1; }
END
cp cloned/clones.c whole
for build in cloned whole; do
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax $([ $build = cloned ] || echo "-DWHOLE=__attribute__((noclone,noipa))") \
        $build/clones.c -o $build/clones
    "$ATOMC" -t prof $build/clones -o program.tool
    results prof.$build 10
    "$ATOMC" -t hiprof $build/clones -o program.tool
    results tree.$build 10
done
of_step() { # FOLDER: the instructions of it and its clones
    jq -n '[inputs | arrays | select(.[3] | test("^step([.]|$)")) | .[1]] | add' "$1"/prof.1.rows
}
check diff/is_cloned "grep -q '\"step.constprop.0\"' prof.cloned/prof.1.rows && grep -q '\"step\"' prof.whole/prof.1.rows"
for ways in "" "--program=cloned/clones --program=whole/clones"; do
    "$ATOMC" diff --threshold=0 $ways --format=json prof.cloned prof.whole >found.json 2>log
    jq -r '.rows[] | select(.Procedure | test("^step")) |
        "\(.Procedure) \(."Instructions A") \(."Instructions B")"' found.json >found
    echo "step $(of_step prof.cloned) $(of_step prof.whole)" >expected
    same "diff/clones${ways%%=*}" expected found
    check "diff/clones_told${ways%%=*}" "grep -q 'note: [0-9]* clones* and parts of procedures' log" log
done
"$ATOMC" diff --threshold=0 --format=json tree.cloned/hiprof.2.rows tree.whole/hiprof.2.rows 2>log |
    jq -r '.rows[] | .Path' >found
check diff/clones_tree "grep -q ';main;step\$' found && ! grep -q constprop found" found
"$ATOMC" diff --threshold=0 prof.cloned prof.cloned >found 2>log
check diff/clones_same "! grep -q clones log" log

# Lines of two builds in separate folders: there are two more lines above `once`, and `inner` has another body.
mkdir old new
cp program.c old/moved.c
sed -e '3i/* one more */\n' -e 's/sum += i/sum += i + 1/' program.c >new/moved.c
for build in old new; do
    alpha program "$build/moved.c" -g
    "$ATOMC" -t coverage -D tables=true program -o program.tool
    results "moved.$build" 10
    jq -r 'arrays | "\(.[4]) \(.[1])"' "moved.$build/coverage.1.rows" |
        awk '{ sum[$1] += $2 } END { for (line in sum) print line, sum[line] }' |
        sort >"lines.$build"
done
"$ATOMC" diff --by=File,Line --threshold=0 --format=json moved.old/coverage.1.rows moved.new/coverage.1.rows >found.json 2>log
jq -r '.rows[] | "\(.State) \(.Line) \(."Executed A" // "-") \(."Executed B" // "-")"' found.json | sort >found
{ # line 2 has changed; the others have the same number, or are two lines further down
    awk '$1 == 2 { print "gone 2", $2, "-" }' lines.old
    awk '$1 == 2 { print "new 2 -", $2 }' lines.new
    join <(awk '$1 != 2' lines.old) <(awk '$1 != 2 { print ($1 > 2 ? $1 - 2 : $1), $2 }' lines.new | sort) |
        awk '$2 != $3 { print ($3 > $2 ? "more" : "less"), $1, $2, $3 }'
} | sort >expected
same diff/lines expected found
check diff/lines_equal "[ \$(jq .equal found.json) -ge 2 ] && [ ! -s log ]" log

# ---- refusals -------------------------------------------------------------------------------------------------------

"$ATOMC" -t cache -D size=4096 program -o program.tool
results small 10
. "$tests/lib/stanzas.sh"
stanzas "$tests/stanzas/results.txt"
"$ATOMC" merge prof.1 -o /dev/null
check device "[ -c /dev/null ]"

# ---- collected ------------------------------------------------------------------------------------------------------

"$ATOMC" collect prof.1 prof.2 loops.1 other -o all.sqlite >first
"$ATOMC" collect prof.1 prof.2 loops.1 other -o all.sqlite >second
check collect/once "grep -q '4 runs, 4 of them new' first && grep -q '4 runs, 0 of them new' second" second
"$ATOMC" collect prof.3 loops.1 -o all.sqlite >third
check collect/more "grep -q '2 runs, 1 of them new' third" third
cp prof.2/prof.1.rows other/x.2.rows && head -n -1 prof.1/prof.1.rows >other/y.3.rows
check collect/whole "! '$ATOMC' collect other -o all.sqlite 2>log &&
    '$ATOMC' collect prof.3 -o all.sqlite | grep -q ' 0 of them new'"

# If a run has no least or greatest value, the values of the other runs still count; for a group whose greatest values
# are added up, the sum of several runs is not defined. A report that is text has its own file, and a series has the
# rows of its end.
cat >extremes.c <<'END2'
#include <stdlib.h>
__attribute__((noinline)) long f(long n) { return n + rand(); }
__attribute__((noinline)) long g(long n) { return n - rand(); }
int main(int count, char **words) { return count > 1 ? (g(7) + g(9)) == 1 : (f(3) + f(5)) == 1; }
END2
alpha extremes extremes.c
cat >extremes.atd <<'END2'
tool extremes
set mine = proc p where p.name == "f" or p.name == "g"
counter calls[mine], low[mine], high[mine], all, seven
for p in mine { before p calls[p]++, low[p] min= $a0, high[p] max= -$a0, all++ }
for p in mine where p.name == "g" { before p seven min= $a0 }
report "each.out" for p in mine "P" p.name, "Calls" calls[p], "Least" low[p], "Greatest" high[p]
report "each.out" as "least and greatest"
report "group.out" for p in mine grouped by p.object "Object" p.object, "Sum" high[p]
report "seven.out" "Least" seven, "Least" seven
every 1 of all report "series.out" "All" all
END2
"$ATOMC" extremes.atd extremes -o extremes.tool
for run in f g; do
    env -i ATOMC_FORMAT=rows ATOMC_OUT="extremes.$run" "$QEMU" ./extremes.tool $(test $run = f || echo g)
done
prints extremes/text cat extremes.f/each.out <<<'least and greatest'
check extremes/files "[ \"\$(cd extremes.f &&
    echo *)\" = 'each.out extremes.1.rows extremes.2.rows extremes.3.rows extremes.4.rows extremes.series.5.rows' ]"
prints extremes/none jq -c -s '.[1:-1][]' extremes.f/extremes.3.rows <<<'[null,null]'
prints extremes/series jq -c -s '.[1:-1][]' extremes.f/extremes.4.rows <<<'[2]'
prints extremes/each "$ATOMC" merge extremes.?/extremes.1.rows <<'END2'
P	Calls	Least	Greatest
f	2	3	-3
g	2	7	-7
END2
prints extremes/group "$ATOMC" merge extremes.?/extremes.2.rows <<'END2'
Object	Sum
extremes	-
END2
prints extremes/seven "$ATOMC" merge extremes.?/extremes.3.rows <<'END2'
Least	Least
7	7
END2
"$ATOMC" merge --format=rows extremes.f/extremes.1.rows extremes.f/extremes.1.rows >twice.rows
prints extremes/again "$ATOMC" merge twice.rows extremes.g/extremes.1.rows <<'END2'
P	Calls	Least	Greatest
f	4	3	-3
g	2	7	-7
END2
prints extremes/json "$ATOMC" merge --format=json extremes.f/extremes.3.rows <<'END2'
{"tool": "extremes", "report": "seven.out", "rows": [
{"Least":0,"Least 2":0}]}
END2
