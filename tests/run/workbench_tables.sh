# workbench_tables: tables over HTTP: processes put together as atomc merge does it, sorting and filtering against jq, what is asked
# wrongly, SQL that only reads, exports that are what was shown.
. "$tests/lib/workbench.sh"
cat >program.c <<'SOURCE'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) long inner(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
__attribute__((noinline)) long outer(long n) { return inner(n) + inner(2 * n); }
int main(void) { long sum = 0; int child = fork(); for (long i = 0; i < (child ? 10 : 25); i++) sum += outer(i); return child ? wait(NULL) < 0 : sum == 1; }
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
    jq -n --arg text "$1" '{text: $text}' | curl -s -b "$(cookie)" -H "Origin: $base" -H 'Content-Type: application/json' -d @- "$base/api/v1/sql"
}

# ---- processes ------------------------------------------------------------------------------------------------------

ask /runs/1/tables >tables
check processes "[ \$(jq '.processes | length' tables) = 2 ] && [ \$(jq '[.tables[] | select(.processes == 2)] | length' tables) = \$(jq '.tables | length' tables) ]" tables
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
ask "/runs/1/tables?process=$(jq '.processes[0].process' tables)" | jq '.tables[] | select(.report == "prof.out") | .processes' >found
check process/one "[ \$(cat found) = 1 ]"
tree=$(table hiprof.out.tree)
ask "/tables/$tree/tree?merged=1" >tree
ask "/tables/$(table hiprof.out)/rows?merged=1" | jq '[.rows[][4]] | add' >expected
jq '[.metrics[] | select(.title == "Instructions").values[]] | add' tree >found
same tree/sum expected found
check tree/parents "jq -e '. as \$tree | [range(.parent | length) | select(\$tree.parent[.] > .)] | length == 0' tree"
check tree/again "ask '/tables/$tree/tree?merged=1' | cmp - tree"
check tree/refused "[ \$(status '$base/api/v1/tables/$prof/tree' -b \"\$(cookie)\") = 409 ]"

# ---- rows -----------------------------------------------------------------------------------------------------------

file=$(ls results/*/prof.[0-9].rows | head -1)
one=$(query "SELECT id FROM report WHERE process = $(head -1 "$file" | jq .process) AND shape = (SELECT id FROM shape WHERE report = 'prof.out')" | jq '.rows[0][0]')
jq -c 'arrays' "$file" >rows
ask "/tables/$one/rows" | jq -c '.rows[]' >found
check rows/as-written "jq -c '.[0:2] + .[3:]' rows >expected && jq -c '.[0:2] + .[3:]' found | diff expected -"
for sort in 1 -1 3 -3; do
    ask "/tables/$one/rows?sort=$sort" | jq -c ".rows[][${sort#-}]" >found
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
for text in 'DELETE FROM run' 'DROP TABLE run' "ATTACH 'x' AS y" 'PRAGMA user_version = 9' 'CREATE TABLE x(y)' "SELECT load_extension('x')" 'UPDATE run SET name = 1' \
    'VACUUM INTO "x"' 'BEGIN IMMEDIATE'; do
    check "sql/refused/$text" "query \"\$text\" | jq -e .error"
done
check sql/one "query 'SELECT 1; SELECT 2' | jq -e '.error == \"one statement at a time\"'"
check sql/nothing "query ' -- nothing' | jq -e .error"
check sql/where "query 'SELECT nothing FROM run' | jq -e '.where.offset == 7'"
check sql/long "query 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100001) SELECT * FROM c' | jq -e '.truncated and (.rows | length == 100000)'"
check sql/intact "[ \$(query 'SELECT count(*) FROM run' | jq '.rows[0][0]') = 1 ] && [ ! -e project/x ] && [ ! -e x ]"
ask /sql | jq -r '.tables[] | select(.view).name' | sort >found
check sql/views "[ \$(wc -l <found) = \$(jq '.tables | length' tables) ]" found

# ---- exports --------------------------------------------------------------------------------------------------------

ask "/export/tables/$one.rows" >exported.rows
"$ATOMC" merge "$file" >expected
"$ATOMC" merge exported.rows >found
same export/rows expected found
check export/json "ask '/export/tables/$one.json' | jq -e '.rows | length == $(wc -l <rows)'"
ask "/export/tables/$tree.folded?merged=1" | awk '{ sum += $NF } END { print sum }' >found
jq '[.metrics[] | select(.title == "Instructions").values[]] | add' tree >expected
same export/folded expected found
check export/speedscope "[ \$(ask '/export/tables/$tree.speedscope.json?merged=1' | jq '.profiles[0] | (.weights | add) == .endValue and (.samples | length) == (.weights | length)') = true ]"
