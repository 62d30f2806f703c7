# workbench_tables: tables over HTTP: processes combined as by atomc merge, sorting and filtering against jq, invalid
# requests, SQL that only reads, exports equal to the page.
. "$tests/lib/workbench.sh"
cat >program.c <<'SOURCE'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) long inner(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
__attribute__((noinline)) long outer(long n) { return inner(n) + inner(2 * n); }
int main(void) { long sum = 0; int child = fork();
    for (long i = 0; i < (child ? 10 : 25); i++) sum += outer(i); return child ? wait(NULL) < 0 : sum == 1; }
SOURCE
alpha program program.c -g
"$ATOMC" -t hiprof -t prof -t branch -t loops program -o program.tool 2>log
env -i ATOMC_FORMAT=rows ATOMC_OUT=results/%p "$QEMU" ./program.tool
mkdir project
"$ATOMC" collect results -o project/project.sqlite >log
workbench project

ask() { # PATH
    curl -s -g -b "$(cookie)" "$base/api/v1$1"
}
query() { # TEXT
    jq -n --arg text "$1" '{text: $text}' | curl -s -b "$(cookie)" -H "Origin: $base" -H \
        'Content-Type: application/json' -d @- "$base/api/v1/sql"
}

# ---- processes ------------------------------------------------------------------------------------------------------

ask /runs/1/tables >tables
check processes "[ \$(jq '.processes | length' tables) = 2 ] &&
    [ \$(jq '[.tables[] | select(.processes == 2)] | length' tables) = \$(jq '.tables | length' tables) ]" tables
table() { # REPORT: its number
    jq ".tables[] | select(.report == \"$1\") | .id" tables
}
# The rows as CSV: the titles, then the values, as atomc merge prints them.
for report in prof.out branch.out hiprof.out loops.out; do
    tool=${report%.out}
    number=$(ls results/*/ | sed -n "s/^$tool\.\([0-9]*\)\.rows\$/\1/p" | sort -n | head -1)
    "$ATOMC" merge --format=csv results/*/"$tool.$number.rows" | sort >expected
    ask "/export/tables/$(table $report).csv?merged=1" | sort >found
    check "merged/$tool" "[ -s expected ] && diff expected found"
done
prof=$(table prof.out)
"$ATOMC" merge --format=json results/*/prof.[0-9].rows | jq '[.rows[].Instructions] | add' >expected
ask "/tables/$prof/rows?merged=1" | jq '.totals[1]' >found
same merged/total expected found
ask "/runs/1/tables?process=$(jq '.processes[0].process' tables)" |
    jq '.tables[] | select(.report == "prof.out") | .processes' >found
check process/one "[ \$(cat found) = 1 ]"
tree=$(table hiprof.out.tree)
ask "/tables/$tree/tree?merged=1" >tree
ask "/tables/$(table hiprof.out)/rows?merged=1&limit=1000" | jq '[.rows[][4]] | add' >expected
jq '[.metrics[] | select(.title == "Instructions").values[]] | add' tree >found
same tree/sum expected found
check tree/parents "jq -e '. as \$tree | [range(.parent | length) | select(\$tree.parent[.] > .)] | length == 0' tree"
check tree/again "ask '/tables/$tree/tree?merged=1' | cmp - tree"
check tree/refused "[ \$(status '$base/api/v1/tables/$prof/tree' -b \"\$(cookie)\") = 409 ]"

# ---- rows -----------------------------------------------------------------------------------------------------------

file=$(ls results/*/prof.[0-9].rows | head -1)
one=$(query \
    "SELECT id FROM report WHERE process = $(head -1 "$file" |
    jq .process) AND shape = (SELECT id FROM shape WHERE report = 'prof.out')" | jq '.rows[0][0]')
jq -c 'arrays' "$file" >rows
ask "/tables/$one/rows?limit=1000" | jq -c '.rows[]' >found
check rows/as-written "jq -c '.[0:2] + .[3:]' rows >expected && jq -c '.[0:2] + .[3:]' found | diff expected -"
for sort in 1 -1 3 -3; do
    ask "/tables/$one/rows?limit=1000&sort=$sort" | jq -c ".rows[][${sort#-}]" >found
    jq -s -c "sort_by(.[${sort#-}]) | $([ $sort -gt 0 ] || echo 'reverse |') .[][${sort#-}]" rows >expected
    same "rows/sort$sort" expected found
done
jq -c 'select(.[1] >= 100 and (.[3] | contains("in"))) | .[0]' rows | sort >expected
ask "/tables/$one/rows?where=1%3E%3D100%3B3~IN" | jq -c '.rows[][0]' | sort >found
check rows/where "[ -s expected ] && diff expected found"
jq -c 'select(.[3] == "inner") | .[0]' rows >expected
ask "/tables/$one/rows?where=3=inner" | jq -c '.rows[][0]' >found
same rows/equal expected found
ask "/tables/$one/rows?find=inner&totals=1" | jq '.shown' >found
check rows/find "[ \$(cat found) = \$(jq 'select(.[3] | contains(\"inner\")) | 1' rows | wc -l) ]"
ask "/tables/$one/rows?offset=3&limit=2" | jq -c '.rows[][0]' >found
sed -n 4,5p rows | jq -c '.[0]' >expected
same rows/page expected found
ask "/tables/$one/facets?column=3&limit=1000" | jq -c '[.values[][1]] | add' >found
check facets "[ \$(cat found) = \$(wc -l <rows) ]"

# ---- asked wrongly, or by enemies: an answer in one line, and the server goes on ---------------------------------------

while read -r expected path; do
    check "wrong/$path" "[ \$(status -g '$base/api/v1$path' -b \"\$(cookie)\") = $expected ]"
done <<TABLE
404 /tables/99
404 /tables/99/rows
404 /runs/99/tables
404 /runs/99/annotation?procedure=0x120000000
404 /runs/1/annotation
400 /tables/1/rows?sort=99
400 /tables/1/rows?sort=--1
400 /tables/1/rows?sort=c1
400 /tables/1/rows?where=99=1
400 /tables/1/rows?where=0
400 /tables/1/rows?where=1%3E%3Dx
400 /tables/1/rows?where=c1=1);DROP+TABLE+run
200 /tables/1/rows?find=%27;DROP+TABLE+run;--
200 /tables/1/rows?where=0~%25
200 /tables/1/rows?limit=999999999&offset=-4
400 /tables/1/facets
400 /tables/1/facets?column=77
404 /export/tables/1.exe
404 /export/tables/..%2f..%2fproject.sqlite
TABLE
ask "/tables/1/rows?where=$(for i in $(seq 60); do printf '1%%3E0;'; done)" >found
check wrong/many "jq -e '.error | contains(\"more than 50\")' found"

# ---- SQL ------------------------------------------------------------------------------------------------------------

query 'SELECT 9223372036854775807 AS a, 1.5 AS b, NULL AS c, x'"'"'00'"'"' AS d' >found
check sql/values "[ \"\$(jq -c .rows found)\" = '[[\"9223372036854775807\",1.5,null,\"(1 bytes)\"]]' ]" found
for text in 'DELETE FROM run' 'DROP TABLE run' "ATTACH 'x' AS y" 'PRAGMA user_version = 9' 'CREATE TABLE x(y)' \
    "SELECT load_extension('x')" 'UPDATE run SET name = 1' \
    'VACUUM INTO "x"' 'BEGIN IMMEDIATE'; do
    check "sql/refused/$text" "query \"\$text\" | jq -e .error"
done
check sql/one "query 'SELECT 1; SELECT 2' | jq -e '.error == \"one statement at a time\"'"
check sql/nothing "query ' -- nothing' | jq -e .error"
check sql/where "query 'SELECT nothing FROM run' | jq -e '.where.offset == 7'"
check sql/long "query 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100001) SELECT * FROM c' |
    jq -e '.truncated and (.rows | length == 100000)'"
check sql/intact "[ \$(query 'SELECT count(*) FROM run' | jq '.rows[0][0]') = 1 ] && [ ! -e project/x ] && [ ! -e x ]"
ask /sql | jq -r '.tables[] | select(.view).name' | sort >found
check sql/views "[ \$(grep -c -v -x place found) = \$(jq '.tables | length' tables) ] && grep -q -x place found" found

# ---- rows by source line: the question of the documentation -------------------------------------------------------------

sed -n '/^### Rows by source line/,/^## /p' "$top/docs/workbench.md" | sed -n '/^```sql$/,/^```$/p' | grep -v '^```' >question
check places/none-yet "[ -s question ] && query \"\$(cat question)\" | jq -e '.rows == []'"
post /programs "{\"path\":\"$scratch/program\"}" >added
check places/filled "post /programs/1/places '{}' | tee filled | jq -e '.instructions > 1000' &&
    post /programs/1/places '{}' | diff filled -" filled
"$ATOMC" --dump=instructions --json program >instructions
check places/all "[ \$(jq .instructions filled) = \$(wc -l <instructions) ] &&
    [ \$(query 'SELECT count(*) FROM place WHERE run = 1' | jq '.rows[0][0]') = \$(wc -l <instructions) ]" filled
# All rows of the table are there, each one time, at the line of its instruction; the sum equals the table's own.
query "$(sed 's/ORDER BY.*//' question)" | jq -r '.rows[] | map(tostring) | join(" ")' | sort >found
jq -r 'select(.file) | "\(.pc) \(.file | if . == "" then null else . end) \(.line) \(.mnemonic)"' instructions | sort >lines
branch=$(table branch.out)
ask "/tables/$branch/rows?merged=1&limit=10000" |
    jq -r --argjson at "$(ask "/tables/$branch" | jq '[.columns[].title] | [index("PC"), index("Taken")]')" \
    '.rows[] | "\(.[$at[0]]) \(.[$at[1]])"' | sort >taken
join lines taken | awk '{ sum[$2 " " $3 " " $4] += $5 } END { for (place in sum) print place, sum[place] }' | sort >expected
check places/question "[ \$(wc -l <expected) -gt 5 ] && diff expected found" found
check places/join "[ \$(query \"\$(cat question)\" | jq '.rows | length') = 10 ]"
check places/unknown "[ \$(request POST /api/v1/programs/99/places -d {}) = 404 ]"

# ---- relative names of sources: below the folder that the program was compiled in, or below its own ---------------------

mkdir -p compiled/src compiled/bin other/src
echo 'int main(int count, char **words) { (void)words; return count + 2; }' >compiled/src/relative.c
cd compiled
alpha bin/absolute src/relative.c -g
alpha bin/dot src/relative.c -g "-fdebug-prefix-map=$PWD=."
alpha bin/parent src/relative.c -g "-fdebug-prefix-map=$PWD=.."
alpha bin/none src/relative.c -g "-fdebug-prefix-map=$PWD="
alpha bin/moved src/relative.c -g "-fdebug-prefix-map=$PWD=/where/it/was"
cd ..
source_of() { # PROGRAM: the sources that are found
    post /programs "{\"path\":\"$scratch/compiled/bin/$1\"}" >added
    get "/programs/$(jq .id added)/source?path=src/relative.c"
}
check sources/absolute "source_of absolute | jq -e '.state == \"found\" and
    .found == \"$scratch/compiled/src/relative.c\" and .others == []'"
check sources/parent "source_of parent | jq -e '.state == \"found\"'"
check sources/dot-missing "source_of dot | jq -e '.state == \"missing\"'"
cp -a compiled/src compiled/bin/src
check sources/dot "source_of dot | jq -e '.state == \"found\" and (.found | endswith(\"/bin/./src/relative.c\"))'"
check sources/none "source_of none | jq -e '.state == \"found\" and (.found | endswith(\"/bin/src/relative.c\"))'"
check sources/several "source_of absolute | jq -e '.found == \"$scratch/compiled/src/relative.c\" and
    .others == [\"$scratch/compiled/bin/src/relative.c\"]'"
rm -r compiled/bin/src
check sources/moved-missing "source_of moved | jq -e '.state == \"missing\"'"
request PUT /api/v1/programs/1/mapping -d "{\"prefix\":\"/where/it\",\"folder\":\"$scratch/other\"}" >mapped
mkdir -p other/was && cp -a compiled/src other/was
check sources/moved "source_of moved | jq -e '.state == \"found\" and .found == \"$scratch/other/was/src/relative.c\"'" mapped
check sources/upwards "get '/programs/1/source?path=../../../../../../etc/passwd' | jq -e '.text == null'"

# ---- exports --------------------------------------------------------------------------------------------------------

ask "/export/tables/$one.rows" >exported.rows
"$ATOMC" merge "$file" >expected
"$ATOMC" merge exported.rows >found
same export/rows expected found
ask "/export/tables/$one.parquet" >found.parquet && node "$tests/lib/parquet.mjs" found.parquet >found
ask "/export/tables/$one.json" | jq -c '.rows[]' | sed 's/\([0-9]\)\.0\([,}]\)/\1\2/g' >expected
same export/parquet expected found
check export/json "ask '/export/tables/$one.json' | jq -e '.rows | length == $(wc -l <rows)'"
ask "/export/tables/$tree.folded?merged=1" | awk '{ sum += $NF } END { print sum }' >found
jq '[.metrics[] | select(.title == "Instructions").values[]] | add' tree >expected
same export/folded expected found
check export/speedscope "[ \$(ask '/export/tables/$tree.speedscope.json?merged=1' |
    jq '.profiles[0] | (.weights | add) == .endValue and (.samples | length) == (.weights | length)') = true ]"
for i in 1 2 3 4 5 6 7 8 9; do query "SELECT $i, count(*) FROM sqlite_temp_schema"; done >found
check export/leaves-nothing "[ \"\$(jq '.rows[0][1]' found | sort -u)\" = 0 ]" found
# The output of atomc export for the run's folder.
for form in folded:folded speedscope.json:speedscope info:lcov callgrind:callgrind gmon.out:gmon; do
    "$ATOMC" export --format="${form#*:}" results >expected
    ask "/export/runs/1.${form%:*}" >found
    check "export/run-${form%:*}" "[ -s expected ] && diff expected found"
done
check export/run-wrong "[ \$(status '$base/api/v1/export/runs/99.folded' -b \"\$(cookie)\") = 404 ] &&
    [ \$(status '$base/api/v1/export/runs/1.exe' -b \"\$(cookie)\") = 404 ]"
kill "$workbench_process"

# ---- many rows: each page costs the same ------------------------------------------------------------------------------
# SQLite's steps for a page are counted, because times vary with other work of the machine.

many=$(pick 120000 1000000)
mkdir -p large/1 both/1 both/2 renewed/1 renewed/2 largest
rows() { # PROCESS ROWS: writes rows whose counts are a permutation; 100 rows have one procedure
    printf '{"rows":1,"tool":"large","report":"large.out","process":%d,"parent":1,"program":"large","program_digest":"%064d","parameters":{},"places":[],"columns":[' "$1" 0
    printf '{"title":"PC","type":"address","role":"key","merge":"same"},{"title":"Count","type":"integer","role":"measure","merge":"sum","unit":"count"},'
    printf '{"title":"Procedure","type":"text","role":"label","merge":"same"},{"title":"Line","type":"integer","role":"label","merge":"same"}]}\n'
    awk -v rows="$2" \
        'BEGIN {
        for (i = 0; i < rows; i++) printf "[\"0x1%08x\",%d,\"procedure_%d\",%d]\n",
            536870912 + 4 * i, (i * 7919) % 1000003, i / 100, i % 3000
        printf "{\"end\":true,\"rows\":%d}\n", rows }'
}
rows 1 "$many" >large/1/large.1.rows
for process in 1 2; do
    rows $process $((many / 2 + 50)) >both/$process/large.1.rows
    sed 's/"procedure_/"renewed_/' both/$process/large.1.rows >renewed/$process/large.1.rows
done
begun=$(date +%s%N)
"$ATOMC" collect large -o largest/project.sqlite >log
echo "# $many rows loaded in $((($(date +%s%N) - begun) / 1000000)) ms; load $(cut -d' ' -f1 /proc/loadavg)"
"$ATOMC" collect both -o largest/project.sqlite >>log
workbench largest
grep '^\["' large/1/large.1.rows | tr -d '[]"' | awk -F , -v OFS=, '{ print NR, $2, $3, $4 }' >plain
page() { # TABLE QUERY OFFSET: 100 rows in `page`
    local begun
    begun=$(date +%s%N)
    ask "/tables/$1/rows?$2&offset=$3&limit=100&totals=0" >page
    took="${took:-} $((($(date +%s%N) - begun) / 1000000))"
    steps=$(jq .steps page)
}
# The first page, for which the order is made; then the first, one in the middle and the last.
pages() { # TEST TABLE QUERY EXPECTED
    local count most=0 good=true at
    count=$(wc -l <"$4")
    took=
    page "$2" "$3" 0
    for at in 0 $((count / 2 / 100 * 100)) $(((count - 1) / 100 * 100)); do
        page "$2" "$3" $at
        [ "$steps" -le "$most" ] || most=$steps
        sed -n "$((at + 1)),$((at + 100))p" "$4" >page.expected
        jq -r '.rows[] | "\(.[1]),\(.[2]),\(.[3])"' page | diff page.expected - >page.differs || good=false
    done
    check "pages/$1" "$good && [ -s page.expected ] && [ $most -le 5000 ]" page.differs
    echo "# pages/$1: at most $most steps; ms:$took; load $(cut -d' ' -f1 /proc/loadavg)"
}
values() {
    cut -d, -f2-
}
values <plain >expected && pages as-written 1 'find=' expected
sort -t, -k2,2n -k1,1n plain | values >expected && pages sorted 1 sort=1 expected
tac expected >falling && pages falling 1 sort=-1 falling
LC_ALL=C sort -t, -k3,3 -k1,1n plain | values >expected && pages texts 1 sort=2 expected
awk -F , '$2 >= 500000' plain | sort -t, -k4,4n -k1,1n | values >expected && pages filtered 1 'sort=3&where=1%3E=500000' expected
awk -F , '$3 ~ /_9/ && $2 < 900000' plain | sort -t, -k2,2nr | values >expected &&
    pages found 1 'sort=-1&find=_9&where=1%3C900000' expected
# Of two processes.
head -n $((many / 2 + 50)) plain | awk -F , -v OFS=, '{ $2 *= 2; print }' | sort -t, -k2,2nr | values |
    sed 's/,\([^,]*\)$/,\1/' >expected
pages merged 2 'merged=1&sort=-1' expected
page 1 'sort=1' $((many + 5))
check pages/behind "[ \$(jq '.rows | length' page) = 0 ]" page
# Reports with reused numbers: they have none of the old rows.
check pages/renewed "[ \$(request DELETE /api/v1/runs/2) = 200 ] && '$ATOMC' collect renewed -o largest/project.sqlite >>log &&
    page 2 'merged=1&sort=-1' 0 &&
    [ \$(jq '.rows | length' page) = 100 ] && ! grep -q procedure_ page" page
grep -E '^(VmHWM|RssAnon)' "/proc/$workbench_process/status" >memory
check pages/memory "[ \$(awk '/^RssAnon/ { print \$2 }' memory) -lt 40000 ]" memory
echo "# $(tr -s '\n\t ' ' ' <memory)"
