# workbench_uploads: files that are uploaded to a project: as a program, an input, a file of a run; named by their
# contents, at most 1 GB, complete or absent; and a project with them that is moved.
. "$tests/lib/workbench.sh"
cat >reader.c <<'E'
#include <stdio.h>
int main(void) {
    int sum = 0, c;
    FILE *file = fopen("data/words", "r");
    while ((c = getchar()) != EOF)
        sum += c;
    printf("%d %c\n", sum, file ? fgetc(file) : '?');
    return 0;
}
E
alpha reader reader.c
workbench project
upload() { # NAME FILE [WORD...]: the answer is in `answered`; prints the status
    local name=$1 file=$2 type=application/octet-stream
    shift 2
    case "$*" in *Content-Type:*) type=${*#*Content-Type:} && shift 2 ;; esac
    request POST "/api/v1/objects?name=$name" -H "Content-Type:$type" --data-binary "@$file" "$@"
}
printf 'abc' >small
check small "[ \$(upload in%20put small) = 201 ] &&
    jq -e '.name == \"in put\" and .bytes == 3 and .sha256 == \"$(sha256sum <small | cut -d' ' -f1)\"' answered" answered
small=$(jq -r .path answered)
check small/there "[ \"\$(cat project/$small)\" = abc ] && [ $small = objects/$(jq -r '.sha256 | .[:2] + "/" + .[2:]' answered) ]"
printf 'words' >words
check again "[ \$(upload input small) = 201 ] && [ \$(upload words words) = 201 ] &&
    get /objects | jq -e '[.objects[].name] | sort == [\"input\", \"words\"]'"
words=$(jq -r .path answered)
head -c 3000000 /dev/urandom >large
check larger-than-a-body "[ \$(upload large large) = 201 ] && cmp large project/\$(jq -r .path answered)"
check parts "[ \$(upload large large -H Transfer-Encoding:chunked -H Expect:) = 201 ]"
: >nothing
check empty "[ \$(upload nothing nothing) = 201 ] && [ \$(jq .bytes answered) = 0 ]"

# ---- refused ----------------------------------------------------------------------------------------------------------------

check refused/type "[ \$(upload x small -H Content-Type:application/json) = 415 ] &&
    [ \$(upload x small -H Content-Type:text/plain) = 415 ]"
check refused/origin "[ \$(upload x small -H Origin:http://evil.example) = 403 ] && [ \$(upload x small -H Origin:) = 403 ]"
check refused/cookie \
    "[ \$(status -X POST -H 'Origin: $base' -H Content-Type:application/octet-stream -d abc '$base/api/v1/objects?name=x') = 403 ]"
check refused/name "[ \$(upload '' small) = 400 ] && [ \$(upload .. small) = 400 ] && [ \$(upload a%0ab small) = 400 ] &&
    [ \$(upload \$(printf %0256d 0) small) = 400 ]"
check refused/folders "[ \$(upload ..%2f..%2fx small) = 201 ] && [ \$(jq -r .name answered) = x ] && [ ! -e x ]"
check refused/others-keep-1-MB "[ \$(request POST /api/v1/presets --data-binary @large) = 413 ] &&
    [ \$(request POST /api/v1/objects/x -H Content-Type:application/octet-stream -d x) = 415 ]"
check refused/larger "[ \$(upload x small -H Content-Length:1000000001) = 413 ]"
check refused/digest "[ \$(request DELETE /api/v1/objects/x) = 404 ] &&
    [ \$(request DELETE /api/v1/objects/\$(printf %064d 0)) = 404 ] &&
    [ \$(request DELETE /api/v1/objects/..%2f..%2fproject.sqlite) = 404 ]"
# A client that disconnects during an upload leaves no file.
exec 9<>"/dev/tcp/127.0.0.1/$port"
printf '%s\r\n' 'POST /api/v1/objects?name=half HTTP/1.1' "Host: 127.0.0.1:$port" "Cookie: $(cookie)" "Origin: $base" \
    'Content-Type: application/octet-stream' 'Content-Length: 1000000' '' abc >&9
tries=0
until ls project/objects/.new-* >begun 2>&1; do sleep 0.05; done
exec 9>&-
tries=0
while ls project/objects/.new-* >left 2>&1; do sleep 0.05; done
check broken-off "grep -q .new- begun && ! ls project/objects/.new-* && ! get /objects | grep half"

# ---- used ------------------------------------------------------------------------------------------------------------------

check program/upload "[ \$(upload reader reader) = 201 ]"
post /programs "{\"path\":$(jq .path answered),\"name\":\"reader\"}" >added
check program/added "jq -e '.name == \"reader\" and .uploaded and .is_static and (.path |
    startswith(\"$scratch/project/objects/\"))' added" added
check program/stays "[ \$(request DELETE /api/v1/objects/\$(jq -r .digest added)) = 200 ] && get /programs/1 | jq -e .uploaded"
check program/name "[ \$(request POST /api/v1/programs -d '{\"path\":\"../reader\",\"name\":\"a/b\"}') = 400 ] &&
    [ \$(request POST /api/v1/programs -d '{\"path\":\"$small\",\"name\":\"x\"}') = 400 ]"
job() { # PROGRAM
    jq -n --arg p "$1" \
        "{program: {path: \$p, name: \"reader\"}, tools: [{name: \"prof\"}], input: {path: \"$small\"},
            files: [{as: \"data/words\", path: \"$words\"}]}"
}
post /runs "$(job "$(jq -r .path added)")" >posted
check run "[ \$(until_run 1) = finished ] && [ \"\$(get /runs/1/files/stdout.zst)\" = '294 w' ] &&
    get /runs/1 | jq -e '.program == 1'" posted
check remove "[ \$(request DELETE /api/v1/objects/\$(sha256sum <small | cut -d' ' -f1)) = 200 ] && [ ! -e project/$small ] &&
    ! get /objects | grep '\"x\"'"

# Incomplete uploads of a killed server are removed; and the project is moved, with programs and results.
: >project/objects/.new-abcdef
request POST /api/v1/quit -d {} >quit
ended
mkdir there
mv project there/moved
workbench there/moved
check moved/tidy "! ls there/moved/objects/.new-* 2>/dev/null"
get /programs/1 >moved
check moved/program "jq -e '.path == .copy and (.path | startswith(\"$scratch/there/moved/objects/\")) and (.gone or
    .changed | not)' moved" moved
check moved/results "get /runs/1/tables | jq -e '.tables | length > 0' && [ \"\$(get /runs/1/files/stdout.zst)\" = '294 w' ]"
[ "$(upload input small)" = 201 ]
check moved/same-run "post /runs \"\$(job \"\$(jq -r .path moved)\")\" | jq -e '.existing and .id == 1'"
check moved/new-run "post /runs \"\$(job \"\$(jq -r .path moved)\" | jq '.arguments = [\"x\"]')\" >posted &&
    [ \$(until_run 2) = finished ]" posted
request POST /api/v1/quit -d {} >quit
ended

# A read-only project accepts no uploads; and a disk may be full.
chmod -R a-w there/moved && chmod a+rx . there
[ "$(id -u)" != 0 ] || workbench_as='setpriv --reuid 65534 --regid 65534 --clear-groups'
workbench there/moved
check read-only "[ \$(upload x small) = 409 ] && get /objects | jq -e '.objects | length > 2'" answered
request POST /api/v1/quit -d {} >quit
ended
chmod -R u+w there/moved
mkdir little
workbench_as="bwrap --dev-bind / / --size 2000000 --tmpfs $scratch/little"
if $workbench_as true 2>bwrap.log; then
    workbench little/project
    check full "[ \$(upload large large) = 507 ] && [ \$(upload small small) = 201 ] &&
        get /objects | jq -e '.objects | length == 1'" answered
    request POST /api/v1/quit -d {} >quit
    ended
else
    skipped full "bwrap is refused here"
fi
