# pages: the pages of hiprof, cache and coverage in a browser: their numbers against the text reports, every link, sorting,
# filtering, folding, names that HTML has to escape, thousands of procedures; no request, no script error.
. "$tests/lib/pages.sh"
if ! command -v chromium >log; then
    skipped browser "Debian's package chromium is not installed"
    return
fi

# Folder and procedure have names that have to be escaped.
folder="$scratch/a <b> & \"c\""
mkdir "$folder"
cp "$tests/tools/queens.c" "$folder"
alpha plain "$folder/queens.c" -g
alpha-linux-gnu-objcopy --redefine-sym 'is_safe=set<int, "&amp;">::is_safe' plain queens
while read -r tool column options; do
    # shellcheck disable=SC2086
    instrument queens.atom -t "$tool" -D html=true $options queens
    env -i "$QEMU" -0 queens ./queens.atom >log 2>&1
    check "$tool" "[ -s $tool.out.html ]" log
    view_all "$tool" "$column"
done <<'END'
hiprof 3 -D callgrind=true
cache 3 -D procedures=true -D lines=true -D size=2048 -D ways=2 -D size2=65536
coverage 1
END
view hiprof-filter hiprof.out.html#procedures/0/PLACE
view hiprof-fold hiprof.out.html fold
view coverage-blanks coverage.out.html blanks

# In two files, because a file's global offset table has room for eight thousand entries.
many=$(pick 400 5000)
awk -v n="$many" -v first=0 -v name=main -f "$tests/tools/many.awk" >many1.c
awk -v n="$many" -v first="$many" -v name=rest -f "$tests/tools/many.awk" >many2.c
alpha many many1.c many2.c -O1 -g
instrument many.atom -t hiprof -D html=true many
ATOMC_OUT=many.out qemu many.atom
view many many.out/hiprof.out.html#procedures/5

browse
check_all hiprof 3 procedures
check_all cache 3 lines
check_all coverage 1 procedures
check many/links "[ -e many.wrong ] && [ ! -s many.wrong ]" many.wrong
cut -f5 many.procedures | grep '^p[0-9]*$' >found
seq 0 $((2 * many - 1)) | sed 's/^/p/' >expected
same many/sorted expected found
check many/size "[ \$(wc -c <many.out/hiprof.out.html) -lt $((2000 * many)) ]"
for page in hiprof:20 cache:33 coverage:26; do # after columns of that width
    cut -c "$((${page#*:} + 10))-" "${page%:*}.source" >found
    same "${page%:*}/source" "$folder/queens.c" found
done

# ---- hiprof: its tables, and the calls as callgrind's file has them ----
awk 'NR > 3 && /^$/ { exit } NR > 3 { self += $2; line[++n] = $2 "\t" $3 "\t" $4 "\t" substr($0, 41); own[n] = $2 }
    END { for (i = 1; i <= n; i++) printf "%.2f\t%s\n", int((20000 * own[i] + self) / (2 * self)) / 100, line[i] }' hiprof.out \
        >expected
cut -f1-5 hiprof.procedures >found
same hiprof/procedures expected found
prints hiprof/places awk -F'\t' '$6 != "" { print $5, $6 }' hiprof-plain.procedures <<'END'
set<int, "&amp;">::is_safe queens.c:12
place queens.c:21
main queens.c:33
END
sed -n '/^Thread 1/,$p' hiprof.out | sed 1,3d | awk '{ name = substr($0, 41); depth = (match(name, /[^ ]/) + 1) / 2
    sub(/^ */, "", name); print $2 "\t" $3 "\t" $4 "\t" depth " " name }' >expected
cut -f2-5 hiprof.thread1 >found
same hiprof/tree expected found
awk '/^fn=/ { caller = substr($0, 4) } /^cfn=/ { callee = substr($0, 5) }
    /^calls=/ { n = $1; sub(/calls=/, "", n); getline; print caller "\t" callee "\t" n "\t" $2 }' \
        hiprof.out.callgrind | sort >expected
same hiprof/callers expected hiprof.callers
same hiprof/callees expected hiprof.callees
grep -i 'place' hiprof.procedures >expected
same hiprof/filter expected hiprof-filter.procedures
awk -F'\t' '{ split($5, part, " "); depth = part[1] } from && depth <= from { from = 0 } from { n++ }
    part[2] == "main" { from = depth } END { print n " of " NR }' hiprof.thread1 >expected
same hiprof/fold expected hiprof-fold.said

# ---- cache: its tables, and the misses beside the source ----
sed 1d cache.out >expected
cut -f1,5- cache.levels >found
same cache/levels expected found
for what in procedures lines; do
    awk -F'\t' -v OFS='\t' -v lines="$([ $what = lines ] && echo 1)" 'NR == FNR { all += FNR == 2 ? $3 : 0; next }
        FNR > 1 { place = lines && $2 != "" ? OFS $2 : ""; sub(/\t.*\//, OFS, place)
            print sprintf("%.2f", int((20000 * $4 + all) / (2 * all)) / 100), $4, $3, $5, $6, $7, $8, $9, $10, $1 place }' \
        cache.out cache.out.$what >expected
    cut -f"$([ $what = procedures ] && echo 1-10 || echo 1-)" cache.$what >found
    same cache/$what expected found
done
sed 1d cache.out.lines | awk -F'\t' '$2 ~ /queens.c:/ { sub(/.*:/, "", $2); r[$2] += $3; m[$2] += $4 }
    END { for (l in r) print l, r[l], m[l] }' | sort -n >expected
awk '$2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ { print $1, $2, $3 }' cache.counts >found
same cache/counts expected found

# ---- coverage: the counts beside the source, their sums, one line of which belongs to two procedures ---
awk -F'[:,]' '/^DA:/ { n[$2] = $3 } /^BRDA:/ { ways[$2]++; gone[$2] += $5 > 0 }
    END { for (l in n) print l, n[l] (l in ways ? " " gone[l] "/" ways[l] : "") }' coverage.out | sort -n >counts
awk '{ print $1, $2 ($3 ~ /^[0-9]+\/[0-9]+$/ ? " " $3 : "") }' coverage.counts >found
same coverage/counts counts found
awk '$2 == 0 { print $1 }' counts >expected
same coverage/never expected coverage.never
prints coverage/blanks cat coverage-blanks.said <<<"$(wc -l <counts)"
awk 'NR == FNR { lines++; hit += $2 > 0; split($3, way, "/"); gone += way[1]; ways += way[2]; next }
    /^FNDA:/ { split($0, f, /[:,]/); procedures++; called += f[2] > 0 }
    END { printf "%.2f\t%d\t%d\t%d\t%d\t%d\t%d\tqueens.c\n", 100 * hit / lines, hit, lines, gone, ways, called, procedures }' \
    counts coverage.out >sums
same coverage/files sums coverage.files
awk -F'\t' '{ hit += $3; lines += $4; gone += $5; ways += $6; n++; called += $1 > 0 }
    END { hit--; lines--; printf "%.2f\t%d\t%d\t%d\t%d\t%d\t%d\tqueens.c\n",
        100 * hit / lines, hit, lines, gone, ways, called, n }' \
    coverage.procedures >found
same coverage/sums sums found
sed -n 's/^FNDA:\([0-9]*\),\(.*\)/\1\t\2/p' coverage.out | sort >expected
cut -f1,7 coverage.procedures | sort >found
same coverage/procedures expected found

# ---- calls that call instructions make: of each caller what the oracle counts at them; seen from both ends; the example's by nam
env -i "$QEMU" -0 queens -plugin "$oracle,out=$scratch/oracle.txt" ./queens >log 2>&1
instrument places "$tests/tools/procedures.atd" queens
qemu places >log
sed 1d procedures.out >procedures.list
alpha-linux-gnu-objdump -d --no-show-raw-insn queens |
    awk 'NR == FNR { start = $1; sub(/^0x0*/, "", start); sub(/^[^\t]*\t/, ""); procedure[start] = $0; next }
        /^[0-9a-f]+ <.*>:$/ { start = $1; sub(/^0*/, "", start); if (start in procedure) name = procedure[start] }
        $2 == "jsr" || $2 == "bsr" { sub(/:/, "", $1); print "0x" $1 "\t" name }' procedures.list - >instructions
awk -F'\t' 'NR == FNR { name[$1] = $2; next } $1 in name { n[name[$1]] += $3 }
    END { for (p in n) if (n[p]) print p "\t" n[p] }' instructions oracle.txt | sort >by_instruction
for page in cache coverage; do
    same $page/both $page.callers $page.callees
    prints $page/own grep -P '\t(place|set<.*)\t' $page.callees \
        <<<$'main\tplace\t1\nplace\tplace\t152\nplace\tset<int, "&amp;">::is_safe\t894'
    awk -F'\t' '{ n[$1] += $3 } END { for (p in n) print p "\t" n[p] }' $page.callees | sort >by_caller
    same $page/calls by_instruction by_caller
done
