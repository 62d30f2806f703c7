# workbench_saved: additions of users to a project: results of other programs, saved screens, metrics; and the figures
# of runs.
. "$tests/lib/workbench.sh"
cat >sums.c <<'END'
#include <stdlib.h>
int main(int count, char **words) { volatile long sum = 0;
    for (long i = 0; i < (count > 1 ? atol(words[1]) : 1); i++) sum += i; return 0; }
END
alpha sums sums.c -g
workbench project
for n in 10 1000 200; do
    post /runs "{\"program\":{\"path\":\"../sums\"},\"tools\":[{\"name\":\"prof\"}],\"arguments\":[\"$n\"]}" >posted
    number=$(jq .id posted)
    check "run/$n" "[ \$(until_run $number) = finished ]" posted
done

# ---- saved screens -----------------------------------------------------------------------------------------------------------

post /views '{"name":"hot <b>","screen":"results","state":{"run":"1","table":"1"}}' >posted
check views/add "[ \$(jq .id posted) = 1 ] &&
    get /views | jq -e '.views[0] | .name == \"hot <b>\" and .screen == \"results\" and
    .state == {run: \"1\", table: \"1\"}'" posted
check views/replace "post /views '{\"name\":\"hot <b>\",\"screen\":\"sql\",\"state\":{}}' | jq -e '.id == 1' &&
    get /views | jq -e '.views | length == 1 and .[0].screen == \"sql\"'"
for body in '{"name":"","screen":"run","state":{}}' '{"name":"x","screen":"../x","state":{}}' \
    '{"name":"x","screen":"run","state":{"a":1}}' '{"name":"x","screen":"run","state":[]}' '{"name":"x","state":{}}'; do
    [ "$(request POST /api/v1/views -d "$body")" = 400 ] || echo "$body"
done >wrong
check views/wrong "[ ! -s wrong ]" wrong
check views/remove "[ \$(request DELETE /api/v1/views/1) = 200 ] && [ \$(request DELETE /api/v1/views/1) = 404 ] &&
    get /views | jq -e '.views == []'"

# ---- metrics, and the figures of runs ------------------------------------------------------------------------------------------

view=$(get /sql | jq -r '[.tables[] | select(.view and .name != "place")][0].name')
metric() { # NAME FORMULA: the status
    request POST /api/v1/metrics -d \
        "$(jq -n --arg name "$1" --arg formula "$2" '{name: $name, formula: $formula, unit: "k", better: "lower"}')"
}
check metrics/add \
    "[ \$(metric 'in main' \"SELECT run, sum(Instructions) / 1000.0 AS thousands FROM \\\"$view\\\"
        WHERE Procedure = 'main' GROUP BY run -- ;
\") = 201 ]" answered
get '/runs/figures?runs=1,2,3,99' >figures
for n in 1 2 3; do
    "$ATOMC" merge "project/$(get /runs/$n | jq -r .folder)" --format=json >merged.$n
done
check figures/main "jq -e --slurpfile one merged.1 --slurpfile two merged.2 '.runs[\"2\"].main | .title == \"Instructions\" and
    .tool == \"prof\" and .value == ([\$two[0].rows[].Instructions] | add) and
        .before == [[\$one[0].rows[].Instructions] | add]' figures" figures
check figures/before "jq -e '.runs[\"3\"].main.before == [.runs[\"1\"].main.value, .runs[\"2\"].main.value] and
    .runs[\"1\"].main.before == [] and .runs[\"99\"].main == null' figures" figures
check figures/metric "jq -e --slurpfile two merged.2 '.metrics[0].name == \"in main\" and .metrics[0].error == null and
    .runs[\"2\"].metrics[\"1\"] == ([\$two[0].rows[] | select(.Procedure == \"main\").Instructions] |
        add) / 1000' figures" figures
check figures/again "get '/runs/figures?runs=1,2,3,99' | cmp - figures"
check metrics/wrong "[ \$(metric x 'SELECT 1') = 400 ] && [ \$(metric x 'SELECT id, 1 FROM run') = 400 ] &&
    [ \$(metric x 'DELETE FROM run') = 403 ] && [ \$(metric x 'SELECT 1 AS run, 2; SELECT 3') = 400 ] &&
    [ \$(metric '' 'SELECT 1 AS run, 2') = 400 ] && [ \$(metric x nonsense) = 400 ]" answered
# A metric that no longer works, in a project that somebody changed, does not hide the others.
printf '%s\n' '#include <sqlite3.h>' 'int main(int count, char **words) {' 'sqlite3 *database;' \
    'return sqlite3_open(words[1], &database) || sqlite3_exec(database, words[count - 1], 0, 0, 0); }' >change.c
gcc change.c -o change -lsqlite3
./change project/project.sqlite \
    "INSERT INTO metric(name, formula, unit, better) VALUES('gone', 'SELECT run, x FROM nosuch', '', ''),
        ('writes', 'DELETE FROM run RETURNING id AS run, 1', '', '')"
get '/runs/figures?runs=1' >figures
check metrics/broken "jq -e '(.metrics | length) == 3 and .metrics[0].error == null and (.metrics[1].error |
    test(\"no such table\")) and .metrics[2].error != null and .runs[\"1\"].metrics[\"1\"] > 0' figures &&
    get /runs | jq -e '.total == 3'" figures
check metrics/remove "[ \$(request DELETE /api/v1/metrics/2) = 200 ] && [ \$(request DELETE /api/v1/metrics/2) = 404 ] &&
    get /metrics | jq -e '[.metrics[].id] == [1, 3]'"

check export/refused "[ \$(request GET /api/v1/export/runs/1.info) = 400 ] &&
    jq -e '.error | test(\"no table has the columns that lcov needs\")' answered" answered

# ---- results of other programs -------------------------------------------------------------------------------------------------

printf 'main;a;b 3\nmain;c 4\n' >stacks.folded
printf 'version: 1\ncmd: /usr/bin/prog\nevents: Ir Dr\nfl=a.c\nfn=main\n3 10 1\ncfn=work\ncalls=2 9\n4 20 2\nfn=work\n9 20 2\n' \
    >callgrind.out.7
printf 'TN:\nSF:a.c\nFN:3,main\nFNDA:1,main\nDA:3,1\nDA:4,7\nend_of_record\n' >coverage.info
for file in stacks.folded callgrind.out.7 coverage.info; do
    post /import "{\"path\":\"$scratch/$file\"}" >posted
    number=$(jq .id posted)
    get "/runs/$number" >imported
    check "import/$file" "jq -e '.name == \"$file\" and .state == \"finished\" and (.folder |
        startswith(\"runs/imported-\"))' imported && get /runs/$number/tables | jq -e '.tables | length > 0'" posted
done
check import/numbers "get '/runs/figures?runs=4,5,6' | jq -e '[.runs[].main.value] == [7, 30, 8]'"
check import/program "get /runs | jq -e '[.runs[] | select(.id > 3) |
    [.program_name, .tools]] == [[\"\", \"lcov\"], [\"prog\", \"callgrind\"], [\"\", \"folded\"]]'"
get "/tables/$(get /runs/4/tables | jq '.tables[0].id')/tree" >tree
check import/tree "jq -e '[.names[.name[]]] == [\"main\", \"c\", \"a\", \"b\"] and .parent == [0, 1, 1, 3] and
    .metrics[0].values == [0, 4, 0, 3]' tree" tree
check import/again "[ \$(request POST /api/v1/import -d '{\"path\":\"$scratch/stacks.folded\",\"name\":\"x\"}') = 200 ] &&
    jq -e '.id == 4 and .existing' answered && [ \$(ls -d project/runs/imported-* | wc -l) = 3 ]" answered
check import/shell "'$ATOMC' import stacks.folded -o shell && diff -r shell project/\$(get /runs/4 | jq -r .folder)"
cp -r "project/$(get /runs/2 | jq -r .folder)" theirs
rm theirs/run.json
check import/folder "post /import '{\"path\":\"$scratch/theirs\",\"name\":\"of a colleague\"}' |
    jq -e '.id == 7 and (.existing | not)' && get /runs/7 | jq -e '.name == \"of a colleague\"' &&
    get '/runs/figures?runs=2,7' | jq -e '.runs[\"2\"].main.value == .runs[\"7\"].main.value'"
request POST /api/v1/objects?name=up.folded -H Content-Type:application/octet-stream --data-binary 'x;y 5' >status
check import/upload "post /import \"{\\\"path\\\":\$(jq .path answered),\\\"name\\\":\\\"up\\\"}\" | jq -e '.id == 8'"
printf 'version: 1\nevents: Ir\nnonsense\n' >bad
: >nothing
mkdir empty
for body in '{"path":"'"$scratch"'/bad"}' '{"path":"'"$scratch"'/nothing"}' '{"path":"'"$scratch"'/empty"}' \
    '{"path":"'"$scratch"'/nosuch"}' '{"path":"'"$scratch"'/bad","format":"x"}' \
    '{"path":"'"$scratch"'/stacks.folded","format":"lcov"}' '{"path":"/dev/null"}' '{}'; do
    [[ "$(request POST /api/v1/import -d "$body")" = 40[03] ]] || echo "$body $(cat answered)"
done >wrong
check import/wrong "[ ! -s wrong ] && [ \$(ls -A project/runs | grep -c imported) = 4 ] && get /runs | jq -e '.total == 8'" wrong
check import/outside "[ \$(request POST /api/v1/import -d '{\"path\":\"/etc/passwd\"}') = 403 ]"
check import/line "answer POST /api/v1/import -d '{\"path\":\"$scratch/bad\"}' |
    jq -e '(.error | test(\"line 3: it is neither\")) and .where.field == \"path\"'"
check import/delete "[ \$(request DELETE /api/v1/runs/4) = 200 ] && [ \$(ls -d project/runs/imported-* | wc -l) = 3 ]"
# ---- a row that stands for all others is in no sum -----------------------------------------------------------------------------

cat >blocks.c <<'END'
#include <stdlib.h>
void *volatile kept; int main(int count, char **words) {
    for (long i = 0; i < 12; i++) free(kept = malloc(100 * i)); kept = malloc(70); return 0; }
END
alpha blocks blocks.c -g
program=$(post /programs "{\"path\":\"$scratch/blocks\"}" | jq .id)
post /runs '{"program":{"path":"../blocks"},"tools":[{"name":"dynmem"}]}' >posted
number=$(jq .id posted)
check whole/run "[ \$(until_run $number) = finished ]" posted
"$ATOMC" merge --format=json "project/$(get "/runs/$number" | jq -r .folder)" >merged
whole=$(jq '.rows[] | select(.Procedure == "all").Bytes' merged)
check whole/itself "[ \$whole -gt 6670 ] && jq -e '[.rows[].Bytes] | add == 2 * $whole' merged" merged
view=$(get /sql | jq -r '[.tables[].name | select(startswith("dynmem dynmem.out "))][0]')
post /sql \
    "$(jq -n --arg view "$view" \
    '{text: "SELECT sum(Bytes), (SELECT Bytes FROM \"\($view) all\"), count(*) FROM \"\($view)\""}')" >asked
check whole/views "jq -e --slurpfile merged merged '.rows == [[$whole, $whole, (\$merged[0].rows | length) - 1]]' asked" asked
check whole/figures "get '/runs/figures?runs=$number' |
    jq -e --slurpfile merged merged '.runs[].main.value == (\$merged[0].rows[] | select(.Procedure == \"all\").Blocks)'"

pc=$(get "/programs/$program/procedures?find=main&limit=1000" | jq -r '.rows[] | select(.name == "main").pc')
get "/runs/$number/annotation?procedure=$pc" >annotation
check whole/shares "jq -e '[.metrics[] | select(.title == \"Bytes\").total] == [$whole]' annotation" annotation
check whole/procedures "get '/programs/$program/procedures?run=$number' |
    jq -e --slurpfile merged merged '.whole == (\$merged[0].rows[] | select(.Procedure == \"all\").Blocks)'"
"$ATOMC" chart "project/$(get "/runs/$number" | jq -r .folder)" >chart
check whole/chart "grep -q '^main ' chart && ! grep -q '^all ' chart" chart
table=$(get "/runs/$number/tables" | jq '.tables[0].id')
check whole/said "get /tables/$table | jq -e '.columns[.whole.name].title == \"Procedure\" and
    .columns[.whole.address].title == \"Site\"' && get /tables/1 | jq -e 'has(\"whole\")'"
request POST /api/v1/quit -d {} >quit
ended

# A read-only project can be viewed completely; so can a project without a program's file, and without listed
# procedures.
rm -r project/objects
chmod -R a-w project && chmod a+rx .
[ "$(id -u)" != 0 ] || workbench_as='setpriv --reuid 65534 --regid 65534 --clear-groups'
workbench project
check read-only "[ \$(request POST /api/v1/views -d '{\"name\":\"x\",\"screen\":\"run\",\"state\":{}}') = 409 ] &&
    [ \$(metric x 'SELECT 1 AS run, 2') = 409 ] &&
    [ \$(request POST /api/v1/import -d '{\"path\":\"$scratch/coverage.info\"}') = 409 ]" answered
for path in /project /programs /objects /runs '/runs/figures?runs=1,2' /views /metrics /presets /sql /runs/1 /runs/1/tables \
    /tables/1 '/tables/1/rows?limit=5' '/tables/1/rows?sort=-1&totals=1'; do
    [ "$(request GET "/api/v1$path")" = 200 ] || echo "$path $(cat answered)"
done >wrong
check read-only/reads "[ ! -s wrong ]" wrong
# Requests that need the program's file report in their messages that it is missing.
for path in /programs/1 '/programs/1/procedures?limit=5' /programs/1/procedures/0x120000000 \
    '/runs/1/annotation?procedure=0x120000000' '/programs/1/source?path=sums.c'; do
    status=$(request GET "/api/v1$path")
    echo "$status $path $(cat answered)"
done >needs
check read-only/no-errors "! grep '^5' needs && grep -q 'is not in the project' needs" needs
request POST /api/v1/quit -d {} >quit
ended
chmod -R u+w project
