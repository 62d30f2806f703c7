# workbench_campaigns: campaigns by the workbench's requests: written, planned, run with events, stopped, resumed,
# removed; tables equal the command's; errors are reported with their place.
. "$tests/lib/workbench.sh"
cp "$tests/data/turn.s" .
sed 's/subq    $1, 1, /subq    $1, 0, /' turn.s >endless.s
for program in turn endless; do alpha $program $program.s -nostdlib; done
cat >steps.atd <<'END'
tool steps "instructions, several times"
param int times = 1 "for each" check times > 0 "it is a number of times"
counter executed[procs]
for p in procs { for b in p.blocks { before b executed[p] += b.ninsts * times } }
report "steps.out" for p in procs where executed[p] > 0 "Procedure" p.name, "Steps" executed[p]
END
cat >steps.json <<END
{"campaign": "steps", "programs": [{"path": "../../turn", "inputs": [{"name": "one", "arguments": []}, {"name": "two <&>", "arguments": ["a"]}]}],
 "tools": [{"path": "$scratch/steps.atd", "parameters": {"times": [1, 10]}}]}
END
workbench project
body() { # FILE [MEMBERS]: {"text": the text of the file, ...}
    jq -n --rawfile text "$1" "{text: \$text} + ${2:-{\}}"
}
body steps.json '{name: "steps"}' >create.json
body steps.json >plan.json
# until_campaign NAME: waits until it is not under way.
until_campaign() {
    local tries=0
    until [ "$(get "/campaigns/$1/status" | jq .live)" = false ] || [ $tries -gt 100000 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# ---- a definition --------------------------------------------------------------------------------------------------------

check empty "[ '$(get /campaigns)' = '{\"campaigns\":[]}' ]"
post /campaigns/plan @plan.json >found
check plan "jq -e '.runs == 4 and .whole == 0 and .seconds == null and .diagnostics == []' found" found
check plan/nothing-made "[ -z \"\$(ls -A project/campaigns)\" ]"
check create "[ \$(request POST /api/v1/campaigns -d @create.json) = 201 ] && cmp steps.json project/campaigns/steps.json"
check create/again "[ \$(request POST /api/v1/campaigns -d @create.json) = 409 ] && grep -q 'already' answered" answered
get /campaigns/steps >campaign
check read "jq -e --rawfile text steps.json '.text == \$text and .under_way == false and
    .file == \"campaigns/steps.json\"' campaign"
check list "get /campaigns | jq -e '.campaigns | length == 1 and .[0].name == \"steps\" and .[0].programs == 1'"

wrong() { # TEST STATUS FILTER SED-COMMAND: the definition so changed, as a new campaign
    sed "$4" steps.json >wrong.json
    body wrong.json '{name: "wrong"}' >wrong.body
    check "wrong/$1" "[ \$(request POST /api/v1/campaigns -d @wrong.body) = $2 ] && jq -e '$3' answered &&
        [ ! -e project/campaigns/wrong.json ]" answered
}
wrong key 400 '.error == "unknown key '"'\"'\"'toools'\"'\"'"'" and (.hint | test("tools")) and .where == {line: 2, column: 2}' \
    's/"tools"/"toools"/'
wrong twice 400 '.where.line == 2' 's/"tools"/"campaign": "x", &/'
wrong comment 400 '.error | test("comments")' 's/"tools"/\/\/ here\n&/'
wrong parameter 400 '.where.line == 2 and (.error | test("an integer"))' 's/10\]/"many"]/'
wrong exception 400 '.hint | test("times")' 's/}\]}$/}], "except": [{"tims": 1}]}/'
wrong program 400 '.error | test("no_such_file")' 's|../../turn|no_such_file|'
wrong elf 400 '.where.line == 1' 's|../../turn|../../steps.json|'
wrong many 400 '(.error | test("100000 runs")) and (.hint | test("--many"))' \
    's/\[1, 10\]/[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51]/; s/}\]}$/}], "repeat": 1000}/'
wrong path 403 '.where.path == "/etc/passwd"' 's|../../turn|/etc/passwd|'
wrong path/up 403 '.where.path | test("etc/passwd")' 's|../../turn|../../../../../../../../../../etc/passwd|'
wrong path/input 403 '.where.path == "/etc/passwd"' 's|"arguments": \[\]|"input": "/etc/passwd"|'
wrong path/file 403 '.where.path == "/etc/passwd"' 's|"arguments": \[\]|"files": [{"as": "x", "path": "/etc/passwd"}]|'
wrong path/tool 403 '.where.path == "/etc/passwd"' "s|$scratch/steps.atd|/etc/passwd|"
wrong path/code 403 '.where.path == "/etc/passwd"' 's|"parameters"|"code": ["/etc/passwd"], &|'
wrong path/together 403 '.where.path == "/etc/passwd"' 's|"tools": \[|&[{"path": "/etc/passwd"}], |'
for name in ../x .x a/b -x '' 'a b'; do
    body steps.json "{name: \"$name\"}" >named.json
    check "name/$name" "[ \$(request POST /api/v1/campaigns -d @named.json) = 400 ]" answered
done
check name/none "[ \$(request GET /api/v1/campaigns/..%2fsteps) = 404 ] && [ \$(request GET /api/v1/campaigns/other) = 404 ] &&
    [ \$(request POST /api/v1/campaigns/other/start -d {}) = 404 ]"
ln -s /etc/passwd project/campaigns/link.json
check name/link "[ \$(request GET /api/v1/campaigns/link) = 404 ]"
rm project/campaigns/link.json

# Two pages: the second save gets the stored text.
sed 's/10\]/20]/' steps.json >changed.json
body changed.json "{digest: $(jq .digest campaign)}" >change.json
check save "[ \$(request PUT /api/v1/campaigns/steps -d @change.json) = 200 ] && cmp changed.json project/campaigns/steps.json"
check save/conflict "[ \$(request PUT /api/v1/campaigns/steps -d @change.json) = 409 ] &&
    jq -e --rawfile text changed.json '.where.text == \$text' answered" answered
body steps.json "{digest: $(jq .where.digest answered)}" >change.json
check save/back "[ \$(request PUT /api/v1/campaigns/steps -d @change.json) = 200 ] && cmp steps.json project/campaigns/steps.json"

# ---- runs -----------------------------------------------------------------------------------------------------------------

check start/engine "[ \$(request POST /api/v1/campaigns/steps/start -d '{\"engine\": \"cloud\"}') = 400 ]" answered
post /campaigns/steps/start '{"engine": "list"}' >found
check start/list "[ \$(jq -r .list found | grep -c '^[^ ]*atomc run --job=.* --into=.*') = 4 ]" found
check events/none "[ \$(request GET /api/v1/campaigns/steps/events) = 404 ]"
check start "post /campaigns/steps/start '{\"jobs\": 2}' | jq -e .under_way"
timeout 1500 curl -sN -b jar "$base/api/v1/campaigns/steps/events" >events
check events "sed -n 's/^event: //p' events | sort | uniq -c | awk '{ print \$2 \"=\" \$1 }' | grep -q -x 'begin=1' &&
    [ \"\$(sed -n 's/^event: //p' events | tail -n 1)\" = finished ] &&
    [ \$(grep -c '\"state\":\"finished\"' events) = 4 ]" events
check events/said "sed -n 's/^data: //p' events | tail -n 1 |
    jq -e '.status == 0 and .collected and (.said | test(\"4 finished\"))'" events
get /campaigns/steps/status >status
check status "jq -e '[.runs[] | select(.state == \"finished\" and .id > 0)] | length == 4' status &&
    jq -e '.live == false and .events' status" status
check status/run "[ \"\$(get /runs/\$(jq '.runs[0].id' status) |
    jq -r .key)\" = \"\$(jq -r '.runs[0].run | split(\".\")[0]' status)\" ]"
check runs/list "get '/runs?campaign=1' | jq -e '.total == 4'"

# Tables are the command's.
(cd project && "$ATOMC" campaign table campaigns/steps.json --value=Steps --rows=input \
    --summary=geometric --format=json) >expected
get '/campaigns/steps/pivot?value=Steps&rows=input&summary=geometric' >found
same pivot expected found
check pivot/number "jq -e '.cells[0][1][1].value == 2610' found" found
for form in csv:csv tex:latex txt:text; do
    (cd project && "$ATOMC" campaign table campaigns/steps.json --value='Steps / 2' --rows=input --columns=times \
        --format="${form#*:}") >expected
    answer GET "/api/v1/export/campaigns/steps.${form%:*}?value=Steps%20/%202&rows=input&columns=times" >found
    same "export/$form" expected found
done
(cd project && "$ATOMC" campaign rows campaigns/steps.json --report=steps.out) >expected
answer GET /api/v1/export/campaigns/steps.rows?report=steps.out >found
same export/rows expected found
(cd project && "$ATOMC" campaign rows campaigns/steps.json --format=parquet) >expected
answer GET /api/v1/export/campaigns/steps.parquet >found
same export/parquet expected found
check export/no-report "[ \$(request GET /api/v1/export/campaigns/steps.rows?report=-o) = 400 ]"
check pivot/wrong "[ \$(request GET '/api/v1/campaigns/steps/pivot?value=1+%2B+Stps') = 400 ] &&
    jq -e '.where.column == 5 and (.hint | test(\"Steps\"))' answered" answered
check pivot/option "[ \$(request GET '/api/v1/campaigns/steps/pivot?value=Steps&rows=-o') = 400 ] &&
    [ \$(request GET /api/v1/export/campaigns/steps.svg?value=Steps) = 404 ]"
check columns "get /campaigns/steps/columns | jq -e '.columns[0] == {tool: \"steps\", report: \"steps.out\", column: \"Steps\"}'"

# One that is removed is made again, and no other.
jq -r '.runs[1].id' status >number
find project/runs -name run.json -printf '%p %i %T@\n' | sort >before
check remove "[ \$(request DELETE /api/v1/runs/\$(cat number)) = 200 ]"
check remove/missing "[ \$(get '/campaigns/steps/pivot?value=Steps&rows=input' | jq .missing) = 1 ] &&
    get /campaigns/steps/status | jq -e '[.runs[] | select(.state == \"missing\")] | length == 1'"
post /campaigns/steps/start '{}' >found
until_campaign steps
find project/runs -name run.json -printf '%p %i %T@\n' | sort >after
check again "[ \$(comm -12 before after | wc -l) = 3 ] && [ \$(wc -l <after) = 4 ] &&
    [ \$(get '/campaigns/steps/pivot?value=Steps&rows=input' | jq .missing) = 0 ]"

# ---- stopped, and resumed ----------------------------------------------------------------------------------------------------

sed 's/"steps", /"ends", "limits": {"seconds": 200}, /; s|../../turn|../../endless|' steps.json >ends.json
body ends.json '{name: "ends"}' >ends.body
check ends/create "[ \$(request POST /api/v1/campaigns -d @ends.body) = 201 ]"
post /campaigns/ends/start '{}' >found
tries=0
until get /campaigns/ends/status | jq -e '[.runs[] | select(.state == "under way")] | length == 1' >/dev/null \
    || [ $tries -gt 100000 ]; do
    tries=$((tries + 1)) && sleep 0.1
done
check ends/under-way "[ \$(request POST /api/v1/campaigns/ends/start -d {}) = 409 ] &&
    [ \$(request DELETE /api/v1/campaigns/ends) = 409 ] && get /campaigns/ends | jq -e .under_way"
check ends/quit "[ \$(request POST /api/v1/quit -d {}) = 409 ] && get /project | jq -e .running"
check ends/stop "[ \$(request POST /api/v1/campaigns/ends/stop -d {}) = 200 ] && grep -q stopped answered" answered
until_campaign ends
check ends/processes "! grep -l -z -a \"^[-]-into=$scratch/project/runs\" /proc/[0-9]*/cmdline 2>/dev/null | grep ."
sed -i 's/endless/turn/' project/campaigns/ends.json
post /campaigns/ends/start '{"resume": true}' >found
until_campaign ends
check ends/resumed "get /campaigns/ends/status | jq -e '[.runs[] | select(.state == \"finished\")] | length == 4'"
check ends/remove "[ \$(request DELETE /api/v1/campaigns/ends) = 200 ] && [ ! -e project/campaigns/ends ] &&
    [ ! -e project/campaigns/ends.json ] && [ \$(ls project/runs | grep -c -v job) -ge 4 ]"

# When the workbench ends, the processes that it has started end, too.
sed -i 's/turn/endless/' ends.json
body ends.json '{name: "ends"}' >ends.body
post /campaigns @ends.body >found
post /campaigns/ends/start '{}' >found
tries=0
until get /campaigns/ends/status | jq -e '[.runs[] | select(.state == "under way")] | length == 1' >/dev/null \
    || [ $tries -gt 100000 ]; do
    tries=$((tries + 1)) && sleep 0.1
done
check quit "[ \$(request POST /api/v1/quit -d '{\"stop\": true}') = 200 ] && ended"
check quit/processes "! grep -l -z -a \"^[-]-into=$scratch/project/runs\" /proc/[0-9]*/cmdline 2>/dev/null | grep ."
