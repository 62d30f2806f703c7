# workbench_runs: runs that the workbench makes: queue, events, stop, the same run again; projects that another
# workbench has open, that cannot be written, that are newer; and the files after the server or a run is killed at any
# moment.
. "$tests/lib/workbench.sh"
name=spin$$
cat >spin.c <<'END'
#include <stdio.h>
int main(int count, char **words) {
    volatile long sum = 0;
    puts("begun");
    fflush(stdout);
    for (long i = 0; count > 1 || i < 1000; i++)
        sum += i;
    return 3;
}
END
alpha "$name" spin.c
# Processes for the project: jobs, sandboxes, the program.
processes() {
    grep -a -z -l -e "^--into=$scratch/project/" -e "^$name\$" -e "^$scratch/project/runs" \
        /proc/[0-9]*/cmdline 2>/dev/null | grep .
}
job() { # ARGUMENTS [MORE]: a run of the program
    echo "{\"program\":{\"path\":\"../$name\"},\"tools\":[{\"name\":\"prof\"}],\"arguments\":$1${2:-}}"
}
begun=$(date +%s%N)
workbench project
took=$((($(date +%s%N) - begun) / 1000000))
echo "# it starts in $took ms"
post /runs "$(job '[]')" >posted
check post "[ \"\$(jq -c '[.id, .existing, .repeat]' posted)\" = '[1,false,0]' ]" posted
check post/finished "[ \$(until_run 1) = finished ]"
get /runs/1 >run
check run/facts "jq -e '.exit_status == 3 and .program_name == \"$name\" and .tools[0].name == \"prof\" and (.commands |
    length) == 2 and .objects == \"main\"' run" run
check run/list "get '/runs?tool=prof&state=finished&sort=-seconds' |
    jq -e '.total == 1 and .runs[0].tools == \"prof\" and .runs[0].rows > 10'"
check run/list-none "get '/runs?tool=cache' | jq -e '.total == 0'"

# The shown command gives the same in a shell: the same bytes, except for the process's number if there is no sandbox.
results_in() { # FOLDER
    (cd "$1" && find . -name '*.rows' | sort | while read -r file; do
        case $(jq -r .isolation "$scratch/run") in sandbox) echo "$file" &&
            cat "$file" ;; *) echo "${file##*/}" && sed 1d "$file" ;; esac
    done)
}
eval "$(jq -r .command run | sed "s|^atomc|$ATOMC|; s|--into=.*|--into=project/again|")" >err 2>&1 || true
results_in project/again/out >found
results_in "$(cd project && realpath "$(jq -r .folder ../run)")/out" >expected
check run/command "[ \$(wc -l <found) -gt 10 ] && diff expected found" err
rm -rf project/again

# An equal run is offered; another repeat is made.
post /runs "$(job '[]')" >posted
check existing/offered "[ \"\$(jq -c '[.id, .existing, .next]' posted)\" = '[1,true,1]' ]" posted
check existing/look "post /runs/look '$(job '[]')' |
    jq -e '.existing == 1 and .seconds > 0 and (.command | test(\"^atomc run --job=\"))'"
post /runs "$(job '[]' ',"repeat":1')" >posted
check existing/repeat "[ \"\$(jq -c '[.id, .existing]' posted)\" = '[2,false]' ] && [ \$(until_run 2) = finished ]" posted
check existing/same-key "[ \"\$(get /runs | jq -r '[.runs[].key] | unique | length')\" = 1 ]"

# A run whose output is to be checked is no other's: it has the run of the uninstrumented program beside its own.
post /runs/look "$(job '[]' ',"check_output":true')" >looked
check checked/not-the-same "jq -e '.existing == null and .next == 2' looked" looked
post /runs "$(job '[]' ',"check_output":true')" >posted
number=$(jq .id posted)
check checked "[ \$(until_run $number) = finished ] && get /runs/$number | jq -e '.plain.same and .plain.exit_status == 3' &&
    get /runs | jq -e '.runs[0].same'"
check checked/offered "post /runs/look '$(job '[]' ',"check_output":true')' | jq -e '.existing == $number' &&
    post /runs/look '$(job '[]')' | jq -e '.existing == $number'"
check checked/delete "[ \$(request DELETE /api/v1/runs/$number) = 200 ]"

# As a file: the contents of the folder, and nothing else.
get /export/runs/1.tar.zst >run.tar.zst
check export "mkdir exported && zstd -dc run.tar.zst | tar -xf - -C exported &&
    diff -r exported/run-1 project/$(jq -r .folder run)"
check export/other "[ \$(request GET /api/v1/export/runs/1.zip) = 404 ] &&
    [ \$(request GET /api/v1/export/runs/9.tar.zst) = 404 ]"

check files/output "[ \"\$(get /runs/1/files/stdout.zst)\" = begun ] && [ -z \"\$(get /runs/1/files/stderr.zst)\" ]"
check files/saved "answer GET /api/v1/runs/1/files/stdout.zst -i | tr -d '\r' |
    grep -qx 'Content-Disposition: attachment; filename=\"stdout\"'"
check files/no-others "[ \$(request GET /api/v1/runs/1/files/run.json) = 404 ] &&
    [ \$(request GET /api/v1/runs/1/files/..%2f..%2f.address) = 404 ]"

# ---- events ------------------------------------------------------------------------------------------------------------------

watch() { # NUMBER [WORD...]
    local number=$1
    shift
    timeout 1500 curl -sN -b jar "$@" "$base/api/v1/runs/$number/events"
}
watch 2 >events
check events/order "[ \"\$(sed -n 's/^event: //p' events | grep -v -e progress -e output |
    tr '\n' ' ')\" = 'phase phase phase phase table ended finished ' ]" events
check events/numbers "sed -n 's/^id: //p' events | awk '\$1 != NR { exit 1 } END { exit NR < 8 }'"
check events/output "grep -q '\"text\":\"begun' events"
watch 2 -H 'Last-Event-ID: 4' >rest
check events/resumed "[ \"\$(head -n 1 rest)\" = 'id: 5' ] && sed -n '/^id: 5\$/,\$p' events | cmp - rest" rest
watch 2 -H 'Last-Event-ID: 99999' >again
check events/of-another-server "cmp events again"

# ---- stop, with results kept; the queue ----------------------------------------------------------------------------------------

post /runs "$(job '["x"]')" >posted
post /runs "$(job '["y"]')" >posted
until [ "$(get /runs/3 | jq -r .state)" = running ]; do sleep 0.1; done
check queue/waits "[ \$(get /runs/4 | jq -r .state) = queued ] || [ \$(nproc) -gt 2 ]"
check quit/refused "[ \$(request POST /api/v1/quit -d {}) = 409 ]"
check delete/refused "[ \$(request DELETE /api/v1/runs/3) = 409 ]"
check queue/cancelled "[ \$(request POST /api/v1/runs/4/stop -d {}) = 200 ] && [ \$(until_run 4) = stopped ]"
tries=0 # the run has begun, and there are some counts
until timeout 1 curl -sN -b jar "$base/api/v1/runs/3/events" | grep -q '"text":"begun'; do sleep 0.1; done
check stop/processes-before "processes"
check stop/status "[ \$(request POST /api/v1/runs/3/stop -d {}) = 200 ] && [ \$(until_run 3) = stopped ]"
get /runs/3 >run
check stop/reason "[ \$(jq -r .reason run) = cancelled ]" run
check stop/results "get /runs | jq -e '.runs[] | select(.id == 3) | .rows > 10'"
check stop/again "[ \$(request POST /api/v1/runs/3/stop -d {}) = 409 ]"
check stop/processes "! processes"
check patch "[ \$(request PATCH /api/v1/runs/3 -d '{\"name\":\"stopped <b>\",\"note\":\"n\"}') = 200 ] &&
    get /runs/3 | jq -e '.name == \"stopped <b>\" and .note == \"n\" and .reason == \"cancelled\"'"
folder=project/$(jq -r .folder run)
check delete "[ -d $folder ] && [ \$(request DELETE /api/v1/runs/3) = 200 ] && [ ! -e $folder ] && [ ! -e $folder.job ] &&
    [ \$(request GET /api/v1/runs/3) = 404 ]"

# ---- a project that is open; one that cannot be written; a newer one ----------------------------------------------------------

check locked "! '$BUILD/atomc-workbench' workbench project --no-browser >said 2>&1 &&
    grep -q \"project: it is open in the workbench at $base\" said" said
check idle/cpu "[ \$(awk '{ print \$14 + \$15 }' /proc/$workbench_process/stat) -lt 200 ]"
before=$(awk '{ print $14 + $15 }' "/proc/$workbench_process/stat")
sleep 2
after=$(awk '{ print $14 + $15 }' "/proc/$workbench_process/stat")
check idle/no-cpu "[ $((after - before)) -le 1 ]"
# sanitizers need more
[ -n "${WORKBENCH:-}" ] || check idle/memory "[ \$(awk '/^VmRSS/ { print \$2 }' /proc/$workbench_process/status) -lt 20000 ]" \
    "/proc/$workbench_process/status"
request POST /api/v1/quit -d {} >quit
check quit/ends "ended"

moved=$(mktemp -d "$scratch/moved.XXXX")
cp -r project "$moved/elsewhere"
workbench "$moved/elsewhere"
check moved "get /runs/2 | jq -e '.state == \"finished\"' && get /runs/2/tables | jq -e '.tables | length > 0'"
request POST /api/v1/quit -d {} >quit
ended
cp project/project.sqlite newer.sqlite
printf '\377' | dd of=newer.sqlite bs=1 seek=63 conv=notrunc 2>dd.log
mkdir newer && mv newer.sqlite newer/project.sqlite
workbench newer
check newer/said "grep -q 'newer: open to be read only: a newer atomc made it' said.errors" said.errors
check newer/reads "[ \$(get /runs | jq .total) = 3 ]"
request PATCH /api/v1/runs/1 -d '{"note":"x"}' >statuses
echo >>statuses
request POST /api/v1/runs -d "$(job '[]' ',"repeat":7' | sed "s|\.\./|$scratch/|")" >>statuses
check newer/no-writing "[ \"\$(tr '\\n' ' ' <statuses)\" = '409 409' ]" statuses
request POST /api/v1/quit -d {} >quit
ended
mkdir other damaged
echo 'this is no database, but it is long enough to be looked at as one: 16 bytes and more' >damaged/project.sqlite
for project in damaged/project.sqlite /proc/nothing; do
    "$BUILD/atomc-workbench" workbench "${project%/project.sqlite}" --no-browser >said 2>&1 && status=0 || status=$?
    check "refused/$(basename "$(dirname "$project")")" "[ $status = 1 ] && [ \$(grep -c error: said) = 1 ]" said
done
mkdir shut
cp project/project.sqlite shut
chmod a-w shut/project.sqlite shut
chmod a+rx . shut
[ "$(id -u)" != 0 ] || workbench_as='setpriv --reuid 65534 --regid 65534 --clear-groups'
workbench shut
check read-only "get /project | jq -e .read_only && [ \$(get /runs | jq .total) = 3 ] &&
    [ \$(request PATCH /api/v1/runs/1 -d '{\"note\":\"x\"}') = 409 ]" said.errors
check read-only/nothing-written "[ \$(ls -A shut) = project.sqlite ] && cmp shut/project.sqlite project/project.sqlite"
request POST /api/v1/quit -d {} >quit
ended
workbench_as=
chmod -R u+w shut

# ---- a full disk: a change that does not fit is undone as a whole, and the rest is unchanged -----------------------------------

mkdir little
workbench_as="bwrap --dev-bind / / --size 3000000 --tmpfs $scratch/little"
if $workbench_as true 2>bwrap.log; then
    workbench little/project
    head -c 900000 /dev/zero | tr '\0' x >text
    kept=0 refused=0
    for i in 1 2 3 4 5; do
        printf '{"tool":"cache","name":"%d","parameters":{"size":"%s"}}' $i "$(cat text)" >preset
        case $(request POST /api/v1/presets -d @preset) in
        201) kept=$((kept + 1)) ;;
        507) refused=$((refused + 1)) ;;
        esac
    done
    check full/refused "[ $kept -ge 1 ] && [ $refused -ge 2 ] && [ $((kept + refused)) = 5 ]" answered
    check full/rest "[ \$(get /presets | jq '.presets | length') = $kept ]"
    check full/run "post /runs '$(job '[]' | sed "s|\.\./|$scratch/|")' | jq -e 'has(\"id\") or has(\"error\")'"
    [ "$(get /runs | jq .total)" = 0 ] ||
        check full/run-failed "[ \$(until_run 1) = failed ] && get /runs | jq -e '.runs[0].reason == \"disk full\"'"
    request POST /api/v1/quit -d '{"stop":true}' >quit
    check full/ends "ended"
else
    skipped full "bwrap is refused here"
fi
workbench_as=

# ---- nobody is there any more ------------------------------------------------------------------------------------------------

workbench project --idle=0.0003
check idle/ends "ended"

# ---- killed --------------------------------------------------------------------------------------------------------------------

# The server is killed at another moment each time, some milliseconds later than the last time, while it makes a run, a
# campaign, or a comparison, or saves and checks a tool. After it the project opens, its runs are complete or have
# failed, texts are the old or the new ones, and no process is left.
kills=$(pick 6 200) torn=0 left=0 i=0
workbench project
jq -n --arg path "$scratch/$name" \
    '{campaign: "kills", programs: [{name: "spin", path: $path,
        inputs: [{name: "1", arguments: []}, {name: "2", arguments: ["2"]}]}],
    tools: [{name: "prof"}], limits: {seconds: 3}}' >kills.json
check killed/campaign \
    "[ \$(request POST /api/v1/campaigns -d \"\$(jq -n --rawfile text kills.json '{name: \"kills\", text: \$text}')\") = 201 ]" \
    answered
printf 'tool mine "mine"\ncounter n\nbefore program { n++ }\nreport "mine.out" "n" n\n' >page.1
sed 's/n++/n += 2/' page.1 >page.2
saves() { # NUMBER DIGEST: the author's text of that number
    jq -n --rawfile text "page.$1" --argjson digest "$2" \
        '{files: {"mine.atd": {text: $text, digest: $digest}}, description: "mine"}'
}
check killed/tool "[ \$(request PUT /api/v1/sources/mine -d \"\$(saves 1 null)\") = 200 ]" answered
request POST /api/v1/quit -d {} >quit
ended
# The other work of the server when it is killed: every third time the same.
besides() { # NUMBER
    case $(($1 % 3)) in
    0) post /campaigns/kills/start '{"jobs": 2, "resume": true}' && get /campaigns/kills/status ;;
    1) get '/compare?a=1&b=2' && get '/compare/rows?a=1&b=2&table=0&threshold=0' && get '/export/runs/1.tar.zst' ;;
    *)
        for k in 1 2 1 2; do
            answer PUT /api/v1/sources/mine -d "$(saves $k "$(get /sources/mine | jq '.files[0].digest')")"
            post /check '{"tools":[{"name":"mine/mine"}]}'
        done
        ;;
    esac
}
while [ $i -lt "$kills" ]; do
    i=$((i + 1))
    workbench project
    post /runs "$(job '["k'$i'"]')" >posted
    number=$(jq .id posted)
    besides $i >besides.said 2>&1 &
    others=$!
    sleep "$(awk -v i=$i -v n="$kills" 'BEGIN { printf "%.3f", 1.2 * i / n }')"
    kill -KILL "$workbench_process"
    wait "$workbench_process" 2>/dev/null || true
    wait $others || true
    sleep 0.3
    tries=0
    while processes >processes.left && [ $tries -lt 100000 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    if [ -s processes.left ]; then
        left=$((left + 1))
        cp processes.left left
    fi
    workbench project
    get "/runs/$number" >run
    jq -e '(.state == "failed" and .reason == "the workbench ended") or .state == "stopped" or .state == "finished"' run \
        >jq.log || torn=$((torn + 1))
    [ "$(ls -A project/runs | grep -c '\.tmp$' || true)" = 0 ] || torn=$((torn + 1))
    cmp -s page.1 project/tools/mine/mine.atd || cmp -s page.2 project/tools/mine/mine.atd || torn=$((torn + 1))
    [ "$(request GET /api/v1/campaigns/kills/status)$(request GET '/api/v1/compare?a=1&b=2')$(request GET /api/v1/sources/mine)" \
        = 200200200 ] || torn=$((torn + 1))
    request POST /api/v1/quit -d '{"stop":true}' >quit
    ended || torn=$((torn + 1))
done
check killed/whole "[ $torn = 0 ]" run
check killed/no-process "[ $left = 0 ]" left
echo "# $kills kills of the server"
# The campaign continues where it was; then all existing runs are in the database.
workbench project
post /campaigns/kills/start '{"resume": true}' >found
tries=0
until get /campaigns/kills/status >status && jq -e '.live == false' status >log || [ $tries -gt 100000 ]; do
    tries=$((tries + 1)) && sleep 0.1
done
check killed/resumed "jq -e '[.runs[] | select(.id > 0)] | length == 2' status &&
    [ \$(request POST /api/v1/quit -d '{\"stop\":true}') = 200 ] && ended" status
check killed/database "[ \"\$('$BUILD/atomc-results' collect project/runs/*.0 -o project/project.sqlite |
    grep -c ' 0 of them new')\" = 1 ]"
