# workbench_events: readers of events: sixteen at most, each gets a sign of life every 15 seconds; and queries that take
# too long.
. "$tests/lib/workbench.sh"
name=sleeps$$
printf '#include <unistd.h>\nint main(int count, char **words) { sleep(count > 1 ? 60 : 0); return words == 0; }\n' >sleeps.c
alpha "$name" sleeps.c
workbench project
# As many as there are runners, and one more that waits for them.
most=$(nproc)
[ "$most" -gt 2 ] || most=2
for i in $(seq "$most"); do
    post /runs "{\"program\":{\"path\":\"../$name\"},\"tools\":[{\"name\":\"prof\"}],\"arguments\":[\"$i\"]}" >posted
done
last=$(jq .id posted)
check waits "[ \$(get /runs/$last | jq -r .state) = queued ]" posted

readers= begun=$(date +%s)
for i in $(seq 16); do
    timeout 1500 curl -sN -b jar "$base/api/v1/runs/$last/events" >"reader.$i" &
    readers="$readers $!"
done
tries=0
until [ "$(cat reader.* | grep -c '^event: phase')" = 16 ]; do sleep 0.05; done
check readers/sixteen "[ \$(cat reader.* | grep -c '^event: phase') = 16 ]"
check readers/no-more \
    "[ \$(request GET /api/v1/runs/$last/events) = 503 ] && jq -e '.error == \"more than 16 pages watch runs\"
        and .hint == \"close other pages\"' answered" answered
check readers/others-go-on "[ \$(request GET /api/v1/project) = 200 ]"
# One reader leaves, and another may connect.
kill "${readers##* }"
while :; do
    timeout 1 curl -sN -b jar "$base/api/v1/runs/$last/events" >one-more || true
    ! grep -q '^event: phase' one-more || break
done
check readers/place-is-free "grep -q '^event: phase' one-more" one-more
tries=0
until [ "$(cat reader.* | grep -c '^:')" -ge 15 ]; do sleep 0.1; done
check comment "[ \$(cat reader.* | grep -c '^:\$') -ge 15 ] && [ $(($(date +%s) - begun)) -ge 10 ]" reader.1
check comment/nothing-else "[ \"\$(grep -v -e '^:\$' -e '^\$' reader.1)\" = 'id: 1
event: phase
data: {\"event\":\"phase\",\"phase\":\"queue\"}' ]" reader.1
# shellcheck disable=SC2086
kill $readers 2>/dev/null || true

# ---- a newer check ends an older one that has hardly begun: the server is not ended with it -----------------------------------

echo '{"text":"tool x","document":"typed"}' >typed
for i in $(seq "$(pick 60 400)"); do
    request POST /api/v1/check -d @typed -o /dev/null >>overtaken &
    [ $((i % 20)) != 0 ] || wait $!
done
tries=0
until [ "$(grep -o '200\|409' overtaken | wc -l)" -ge "$(pick 55 390)" ]; do sleep 0.1; done
check overtaken/server-stays "kill -0 $workbench_process && [ \$(request GET /api/v1/project) = 200 ]" said.errors

# ---- questions --------------------------------------------------------------------------------------------------------------

if [ "$SIZE" = all ]; then
    begun=$(date +%s%N)
    post /sql '{"text":"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"}' >said
    took=$((($(date +%s%N) - begun) / 1000000))
    check sql/ten-seconds "[ $took -ge 10000 ]"
    check sql/says-how \
        "jq -e '.error == \"the answer took more than 10 seconds\" and (.hint | test(\"^without limits: sqlite3 \"))' said" said
    # A client that sends nothing for a minute loses its connection.
    exec 9<>"/dev/tcp/127.0.0.1/$port"
    begun=$(date +%s)
    timeout 1500 cat <&9 >said && status=0 || status=$?
    exec 9>&-
    took=$(($(date +%s) - begun))
    check silent "[ $status = 0 ] && [ $took -ge 55 ] && [ ! -s said ]"
    check sql/goes-on "post /sql '{\"text\":\"SELECT 1\"}' | jq -e '.rows == [[1]]'"
fi
post /sql '{"text":"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"}' >said
check sql/rows "jq -e '.truncated and (.rows | length) == 100000' said"
request POST /api/v1/quit -d '{"stop":true}' >quit
check quit "ended && ! grep -a -z -l -x '$name' /proc/[0-9]*/cmdline"
