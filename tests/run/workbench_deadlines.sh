# workbench_deadlines: a query that is ended because its time is over gives an error, never an incomplete answer. All
# moments are tested: SQLite is interrupted at its first callback, at the second and so on. Commands and transactions
# are not in a query's time.
. "$tests/lib/workbench.sh"
gcc -O2 -Wall -Wextra -Werror -fPIC -shared "$tests/data/deadlines.c" -o deadlines.so -ldl
alpha hot "$tests/data/small.c" -g
echo 0 >deadline
workbench_as="env LD_PRELOAD=$scratch/deadlines.so DEADLINE=$scratch/deadline"

# ---- commands and transactions of 11 seconds each: the list of procedures is whole --------------------------------------

workbench_as="$workbench_as SLOW_STEPS=1" workbench project
post /programs "{\"path\":\"$scratch/hot\"}" >answered
check slow/open 'jq -e .id answered' answered
check slow/list \
    "[ \$(request GET /api/v1/programs/1/procedures?limit=10000) = 200 ] &&
        jq -e '.total > 10 and (.rows | length) == .total' answered" answered
pc=$(jq -r ".rows[0].pc" answered)
check slow/procedure \
    "[ \$(request GET /api/v1/programs/1/procedures/$pc) = 200 ] && jq -e '.instructions | length > 0' answered" answered
check slow/places "[ \$(request POST /api/v1/programs/1/places -d '{}') = 200 ] && jq -e '.instructions > 100' answered" answered
request POST /api/v1/quit -d '{}' >quit
check slow/quit ended

# ---- each moment -----------------------------------------------------------------------------------------------------------

workbench project
post /runs "{\"program\":{\"path\":\"$scratch/hot\"},\"tools\":[{\"name\":\"prof\"},{\"name\":\"hiprof\"}]}" >posted
check run "[ \$(until_run 1) = finished ]" posted
post /runs "{\"program\":{\"path\":\"$scratch/hot\"},\"tools\":[{\"name\":\"prof\"}],\"arguments\":[\"1\"]}" >posted
check run/second "[ \$(until_run 2) = finished ]" posted
post /views '{"name":"a","screen":"results","state":{"run":"1"}}' >answered
post /metrics '{"name":"m","formula":"SELECT id AS run, seconds FROM run","unit":"s","better":"lower"}' >answered
post /presets '{"tool":"cache","name":"x","parameters":{"size":4096}}' >answered
curl -s -b jar -X POST -H "Origin: $base" -H 'Content-Type: application/octet-stream' --data-binary @"$tests/data/small.c" \
    "$base/api/v1/objects?name=in" >answered
pc=$(get '/programs/1/procedures?find=main' | jq -r '.rows[0].pc')
get /runs/1/tables >tables
prof=$(jq '[.tables[] | select(.tool == "prof")][0].id' tables) tree=$(jq '[.tables[] | select(.tree)][0].id' tables)
cat >asked <<END
/programs
/programs/1
/programs/1/names
/programs/1/procedures?sort=name&limit=1000
/programs/1/procedures/$pc
/programs/1/mapping
/runs
/runs/1
/runs/1/tables
/runs/1/annotation?procedure=$pc
/runs/figures?runs=1,2
/tables/$prof
/tables/$prof/rows?sort=-1
/tables/$prof/rows?find=main
/tables/$prof/facets?column=0
/tables/$tree/tree
/export/tables/$prof.csv
/compare?a=1&b=2
/compare/rows?a=1&b=2
/metrics
/views
/objects
/presets
/sql
END
# Parts that differ from answer to answer, or that describe its making; the error of one metric is reported beside it.
settled() { # FILE
    jq -cS 'del(.steps, .seconds?) | if .metrics then .metrics |= map(del(.error)) else . end' "$1" 2>/dev/null || cat "$1"
}
moments=$(pick "1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597" "$(seq -s" " 400) $(seq -s" " 410 50 10000)")
: >kinds
while read -r path; do
    echo 0 >deadline
    [ "$(answer GET "/api/v1$path" -o whole -w '%{http_code}')" = 200 ] || echo "0: $path: $(cat whole)" >>wrong
    settled whole >expected
    ended_early=0
    for moment in $moments; do
        echo "$moment" >deadline
        status=$(answer GET "/api/v1$path" -o answered -w '%{http_code}')
        # An answer that equals one that jq has read is not read again.
        if [ "$status" = 503 ] && { cmp -s answered error ||
            jq -e '.error == "this took longer than 10 seconds"' answered >/dev/null; }; then
            ended_early=$((ended_early + 1))
            [ -e error ] || cp answered error
        elif [ "$status" != 200 ] || ! { cmp -s answered whole || settled answered | cmp -s - expected; }; then
            echo "$moment: $path: $status $(head -c 300 answered)" >>wrong
        fi
    done
    echo "$ended_early $path" >>kinds
done <asked
echo 0 >deadline
check whole-or-error '[ ! -e wrong ]' wrong
check ended-early "[ \$(wc -l <kinds) = \$(wc -l <asked) ] && ! grep '^0 ' kinds" kinds
check afterwards "get /programs | jq -e '.programs | length == 1'"
request POST /api/v1/quit -d '{}' >quit
check quit ended
