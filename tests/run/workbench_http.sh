# workbench_http: the requests and clients that the workbench's server accepts: a table of requests and their statuses.
# Section numbers are those of the rules in docs/internals/security.md.
. "$tests/lib/workbench.sh"
alpha hot "$tests/data/small.c"
WORKBENCH_SECRET=1 workbench project

# ---- rule 1: it listens on 127.0.0.1 only, at a port of the kernel's choice ----------------------------------------------

listens=$(awk -v port="$(printf '%04X' "$port")" '$4 == "0A" && $2 ~ ":" port "$" { print $2 }' /proc/net/tcp /proc/net/tcp6)
check listens/loopback '[ "$listens" = "0100007F:$(printf %04X $port)" ]'
for word in --host=0.0.0.0 --address=0.0.0.0 --bind=0.0.0.0; do
    "${WORKBENCH:-$BUILD/atomc-workbench}" workbench "$word" --no-browser another >said.host 2>&1 && status=0 || status=$?
    check listens/no-other "[ $status = 1 ] && [ ! -e another ]" said.host
done

# When run as root it prints a warning, one time.
warned=$([ "$(id -u)" = 0 ] && echo 1 || echo 0)
check root/warned "[ \$(grep -c 'the workbench runs as root' said.errors) = $warned ] &&
    [ \$(wc -l <said.errors) = $warned ]" said.errors

# ---- rule 2: the token, the cookie ---------------------------------------------------------------------------------------

check token/length '[ ${#token} = 64 ]'
check token/used "[ \$(status '$address') = 403 ]"
check token/wrong "[ \$(status '$base/open?token=${token%?}') = 403 ] && [ \$(status '$base/open?token=') = 403 ] &&
    [ \$(status '$base/open') = 403 ]"
check token/next "[ \$(stat -c %a project/.address) = 600 ] && grep -qx '$base/open?token=[0-9a-f]*' project/.address &&
    ! grep -q $token project/.address"
check token/next-works "[ \$(status \"\$(cat project/.address)\") = 303 ]"
check cookie/attributes "grep -qi '^set-cookie: atomc-$port=[0-9a-f]*; Path=/; HttpOnly; SameSite=Strict' opened"
check cookie/location "grep -qi '^location: /.\$' opened"
check cookie/none "[ \$(status '$base/') = 403 ] && [ \$(status '$base/api/v1/project') = 403 ]"
check cookie/wrong "[ \$(status -b 'atomc-$port=$(printf %064d 0)' '$base/api/v1/project') = 403 ]"
check cookie/short "[ \$(status -b 'atomc-$port=' '$base/api/v1/project') = 403 ]"
check cookie/among-others "[ \$(status -b \"a=b; \$(cookie); c=d\" '$base/api/v1/project') = 200 ]"
check cookie/part-of-name "[ \$(status -b \"x\$(cookie)\" '$base/api/v1/project') = 403 ]"

# ---- the table -------------------------------------------------------------------------------------------------------------
# STATUS METHOD PATH: with the cookie and, if it changes data, Origin and type; further words are for curl.

rebound=evil.example:$port
cat >table <<END
200 GET /
200 GET /web/main.js
200 GET /docs/workbench.md
200 GET /api/v1/project
200 GET /api/v1/project?x=%41&y
405 HEAD /api/v1/project
200 HEAD /
404 GET /api/v1/nothing
404 GET /api
404 GET /api/v1
404 GET /api/v2/project
405 POST /api/v1/project
405 POST /
501 OPTIONS /api/v1/project
501 TRACE /
405 GET /api/v1/quit
405 GET /api/v1/runs/1/stop
404 GET /stop
# rule 3: Host
421 GET /api/v1/project -H Host:$rebound
421 GET /api/v1/project -H Host:127.0.0.1
421 GET /api/v1/project -H Host:127.0.0.1:1
421 GET /api/v1/project -H Host:127.0.0.1:$port.evil.example
421 GET /open?token=$token -H Host:$rebound
# rule 4: Origin, type, Sec-Fetch-Site
403 GET /api/v1/project -H Origin:http://evil.example
403 GET /api/v1/project -H Origin:null
403 GET /api/v1/project -H Origin:https://127.0.0.1:$port
403 POST /api/v1/presets -H Origin:http://127.0.0.1:1 -d {}
403 POST /api/v1/presets -H Origin: -d {}
403 GET /api/v1/project -H Sec-Fetch-Site:cross-site
403 GET /api/v1/project -H Sec-Fetch-Site:same-site
200 GET /api/v1/project -H Sec-Fetch-Site:same-origin
200 GET / -H Sec-Fetch-Site:none
415 POST /api/v1/presets -H Content-Type:application/x-www-form-urlencoded -d a=b
415 POST /api/v1/presets -H Content-Type:text/plain -d {}
415 POST /api/v1/presets -H Content-Type: -d {}
400 POST /api/v1/presets -H Content-Type:application/json;charset=utf-8 -d {}
# rule 5: a path that is no file of the workbench
404 GET /web/../main.c
404 GET /web/%2e%2e%2fmain.c
404 GET /web/..%2f..%2f..%2f..%2fetc%2fpasswd
404 GET /web//etc/passwd
404 GET //etc/passwd
404 GET /docs/../project.sqlite
404 GET /.address
404 GET /web/.
404 GET /web/lib/
# rule 7: sizes and forms
400 GET /%00
400 GET /api/v1/project%0
400 GET /api/v1/%zz
413 POST /api/v1/presets --data-binary @large
413 POST /api/v1/presets -H Content-Length:99999999999999999999 -d {}
400 POST /api/v1/presets --data-binary @deep
400 POST /api/v1/presets -d [1]
400 POST /api/v1/presets -d {"tool":"a","tool":"b"}
400 POST /api/v1/presets -d {"tool":"cache","nme":"x","parameters":{}}
400 POST /api/v1/presets -d {"tool":7,"name":"x","parameters":{}}
400 POST /api/v1/presets -d {"tool":"cache"
400 POST /api/v1/presets -d {"tool":"../cache","name":"x","parameters":{}}
201 POST /api/v1/presets -d {"tool":"cache","name":"x","parameters":{"size":4096}}
200 DELETE /api/v1/presets/1
404 DELETE /api/v1/presets/1
404 DELETE /api/v1/presets/x
404 DELETE /api/v1/presets/99999999999999999999
# rule 6: files
403 POST /api/v1/runs -d {"program":{"path":"/etc/passwd"},"tools":[{"name":"prof"}]}
403 POST /api/v1/runs -d {"program":{"path":"link"},"tools":[{"name":"prof"}]}
403 POST /api/v1/runs -d {"program":{"path":"../hot"},"input":{"path":"/etc/passwd"},"tools":[{"name":"prof"}]}
403 POST /api/v1/runs -d {"program":{"path":"../hot"},"tools":[{"path":"/etc/passwd"}]}
403 POST /api/v1/runs -d {"program":{"path":"../hot"},"tools":[{"name":"prof","code":[{"path":"/etc/passwd"}]}]}
403 POST /api/v1/runs -d {"program":{"path":"../hot"},"files":[{"as":"x","path":"/proc/self/environ"}],"tools":[{"name":"prof"}]}
403 POST /api/v1/runs -d {"program":{"path":"../hot"},"root":"/","tools":[{"name":"prof"}]}
400 POST /api/v1/runs -d {"program":{"path":"nosuch"},"tools":[{"name":"prof"}]}
400 POST /api/v1/project/allow -d {"folder":"relative"}
400 POST /api/v1/project/allow -d {"folder":"/nosuch"}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-fplugin=/tmp/x.so"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-o"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["@/etc/passwd"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-specs=/tmp/x"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-wrapper"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-save-temps"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-fdump-tree-all"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-Wl,-o,/tmp/x"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-Wa,-o,/tmp/x"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-B/tmp"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-Wp,-MD,/tmp/x"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-x"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-ftest-coverage"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["/etc/passwd"]}
400 POST /api/v1/compile -d {"text":"","name":"x.c","options":["-I/etc"]}
400 POST /api/v1/compile -d {"text":"","name":"../x.c"}
400 POST /api/v1/compile -d {"text":"","name":"-x.c"}
400 POST /api/v1/compile -d {"text":"","name":".x.c"}
400 POST /api/v1/compile -d {"text":"","name":"x.py"}
400 POST /api/v1/compile -d {"text":"","name":".c"}
400 POST /api/v1/compile -d {"text":"","name":""}
400 POST /api/v1/compile -d {"text":"","name":"x.c","folder":"/etc"}
400 POST /api/v1/compile -d {"name":"x.c"}
400 POST /api/v1/compile -d {"name":"x","files":{}}
400 POST /api/v1/compile -d {"name":"x","files":{"x.c":7}}
400 POST /api/v1/compile -d {"name":"x","files":{"../x.c":""}}
400 POST /api/v1/compile -d {"name":"x","files":{"x.c":"","/etc/x.c":""}}
400 POST /api/v1/compile -d {"name":"x","text":"","files":{"x.c":""}}
400 POST /api/v1/compile -d {"name":"../x","files":{"x.c":""}}
400 POST /api/v1/compile -d {"name":"x","files":{"x.c":""},"without":["x.c"]}
400 POST /api/v1/compile -d {"name":"x","files":{"x.c":""},"options":["-I../../x"]}
400 POST /api/v1/compile -d {"name":"x","files":{"x.c":""},"machine":"VAX"}
409 POST /api/v1/compile -d {"name":"x","files":{"x.c":""}}
400 POST /api/v1/source -d {"name":"x","files":{"x.h":""}}
409 POST /api/v1/source -d {"name":"x","files":{"x.c":""}}
200 GET /api/v1/compilers
400 GET /api/v1/source?path=/etc
409 POST /api/v1/compile -d {"text":"","name":"x.c"}
400 GET /api/v1/source
400 GET /api/v1/source?path=/etc/x.c
400 GET /api/v1/source?path=link
400 GET /api/v1/source?path=link.c
405 GET /api/v1/compile
400 POST /api/v1/example -d {"path":"/etc"}
405 GET /api/v1/example
409 POST /api/v1/example -d {}
# atomc's message
400 POST /api/v1/runs -d {"program":{"path":"../hot"},"tools":[{"name":"nosuch"}]}
400 POST /api/v1/runs -d {"program":{"path":"../hot"},"tools":[{"name":"cache","parameters":{"size":3}}]}
400 POST /api/v1/runs -d {"program":{"path":"../hot"},"argumets":[],"tools":[{"name":"prof"}]}
400 POST /api/v1/runs -d {}
404 GET /api/v1/tools/nosuch
404 GET /api/v1/tools/-x
404 GET /api/v1/tools/..%2fx
200 GET /api/v1/tools
200 GET /api/v1/tools/cache
200 POST /api/v1/check -d {"text":"tool"}
400 POST /api/v1/check -d {"tool":"--version"}
400 POST /api/v1/check -d {"tool":"cache","parameters":{"size=1\u0000":1}}
400 POST /api/v1/check -d {"tool":"cache","parameters":{"-o":"x"}}
400 POST /api/v1/check -d {"text":"tool","c":{"../x.c":""}}
400 POST /api/v1/check -d {"text":"tool","c":{"x.inst.c":""}}
400 POST /api/v1/sites -d {"tool":"cache"}
404 GET /api/v1/runs/1
404 GET /api/v1/runs/1/events
404 POST /api/v1/runs/1/stop -d {}
404 PATCH /api/v1/runs/1 -d {"name":"x"}
200 GET /api/v1/runs?sort=-seconds&limit=-5&offset=x&program='--&state=%00
END
head -c 1048577 /dev/zero | tr '\0' ' ' >large
awk 'BEGIN { for (i = 0; i < 65; i++) printf "{\"a\":"; printf 1; for (i = 0; i < 65; i++) printf "}" }' >deep
ln -s /etc/passwd project/link
mkdir elsewhere
ln -s /etc/passwd project/link.c
ln -s "$PWD/elsewhere" project/example
ln -s "$PWD/elsewhere" project/compiled
grep -v '^#' table | while read -r expected method path words; do
    printf '%s %s %s %s\n' "$(request "$method" "$path" $words)" "$method" "$path" "$words"
done | sed 's/ *$//' >found
grep -v '^#' table >expected
check table "diff expected found"
check example/not-through-a-link '[ -z "$(ls -A elsewhere)" ]'
rm project/example project/compiled project/link.c
check table/all "[ \$(wc -l <found) -gt 90 ]"

# ---- more than curl says --------------------------------------------------------------------------------------------------

# raw STATUS: sends the bytes on standard input, and compares the status of the answer.
raw() {
    exec 9<>"/dev/tcp/127.0.0.1/$port"
    cat >&9
    timeout 1500 head -n 1 <&9 | tr -d '\r' | cut -d' ' -f2
    exec 9>&-
}
line() {
    printf '%s\r\n' "$@" ""
}
common=("Host: 127.0.0.1:$port" "Cookie: $(cookie)")
. "$tests/lib/stanzas.sh"
stanzas "$tests/stanzas/workbench_http.txt"
check raw/localhost "[ \$(status -H 'Host: localhost:$port' -H 'Cookie: $(cookie)' '$base/api/v1/project') = 200 ]"
check raw/long "[ \$(status -H 'Cookie: $(cookie)' '$base/$(printf %08000d 0)') = 404 ] &&
    [ \$(status -H 'Cookie: $(cookie)' '$base/$(printf %08192d 0)') = 414 ]"

# Headers of every answer, good or not.
policy="Content-Security-Policy: default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
for path in / /api/v1/project /nothing /api/v1/runs/1; do
    curl -s -i -b jar "$base$path" | tr -d '\r' >answer
    check headers"$path" "grep -qxF \"$policy\" answer && grep -qx 'X-Content-Type-Options: nosniff' answer &&
        grep -qx 'Referrer-Policy: no-referrer' answer && grep -qx 'Cross-Origin-Resource-Policy: same-origin' answer &&
        grep -qx 'Cross-Origin-Opener-Policy: same-origin' answer && ! grep -qi '^access-control' answer" answer
done

# No page makes elements from a text: no code could do so.
check pages/text-only \
    "! grep -rnE 'innerHTML|outerHTML|insertAdjacentHTML|document[.]write|dangerouslySet|srcdoc|createContextualFragment|new Function|[^a-zA-Z_.]eval[(]' $top/workbench/web --include=*.js --include=*.html"

# The error, and its place.
says() { # TEST METHOD PATH BODY EXPECTED
    answer "$2" "$3" -d "$4" >said
    check "$1" "[ \"\$(cat said)\" = '$5' ]" said
}
says json/unknown-key POST /api/v1/presets '{"tool":"cache",
 "naem":"x"}' \
     '{"error":"unknown key '"'\"'\"'naem'\"'\"'"'","hint":"did you mean '"'\"'\"'name'\"'\"'"'?","where":{"key":"naem","line":2,"column":2}}'
says json/duplicate POST /api/v1/presets '{"tool":"a",
"tool":"b"}' \
    '{"error":"the body is no JSON: duplicate object key near '"'\"'\"'"'\"tool\"'"'\"'\"'"'","where":{"line":2,"column":6}}'
answer POST /api/v1/runs -d '{"program":{"path":"../hot"},"tools":[{"name":"cache","parameters":{"size":3}}]}' >said
check parameter/message "jq -e '(.error | test(\"size.*cannot be 3\")) and
    .where == {tool: \"cache\", parameter: \"size\"}' said" said

# docs/internals/requests.md describes each request that the server answers, and no other.
"$BUILD/atomc-workbench" workbench --requests | sort >requests
sed -n 's/^| `\([A-Z]* [^`?]*\)[^`]*` |.*/\1/p' "$top/docs/internals/requests.md" | sed 's| /| /api/v1/|' | sort >described
check described "diff requests described"
check described/all "[ \$(wc -l <requests) -gt 30 ]"

# ---- what is no program that can be instrumented: atomc's own line, and nothing is added --------------------------------------

echo "no program" >words && head -c 100 hot >cut && cp /bin/true native && chmod u+w native
"$ATOMC" -t prof hot -o instrumented >log 2>&1
for file in words cut native instrumented . nothing; do
    case $file in words) line='not an ELF file' ;; native) line='not for Alpha' ;; cut) line='[a-z]' ;; instrumented) \
        line=instrumented ;; .) line='folder|directory|regular' ;; nothing) line='outside|No such file' ;; esac
    got=$(request POST /api/v1/programs -d "{\"path\":\"../$file\"}")
    check "no-program/$file" "[ $got = 400 ] && jq -e '.error | test(\"$line\") and (test(\"\\n\") | not)' answered" answered
done
check no-program/nothing-added "[ \$(get /programs | jq '.programs | length') = 0 ]"
# Another program in the file of one is another one, of the same name.
cp hot changes && request POST /api/v1/programs -d '{"path":"../changes"}' >added
first=$(jq .id answered)
alpha changes "$tests/data/exits.c" "$tests/data/exits.s"
check changed/new "[ \$(request POST /api/v1/programs -d '{\"path\":\"../changes\"}') = 201 ] &&
    [ \$(jq .id answered) != $first ] && get /programs |
    jq -e '[.programs[] | select(.name == \"changes\")] | length == 2'" answered

# ---- rule 8: nothing with the rights of another user --------------------------------------------------------------------------

cp hot own && cp hot group && chmod u+s own && chmod g+s group
for file in own group; do
    check rights/$file "[ \$(request POST /api/v1/programs -d '{\"path\":\"../$file\"}') = 400 ] &&
        grep -q 'rights of another user' answered &&
        [ \$(request POST /api/v1/runs -d '{\"program\":{\"path\":\"../$file\"},\"tools\":[{\"name\":\"prof\"}]}') = 400 ] &&
        grep -q 'rights of another user' answered" answered
done
# A workbench that another user owns, and that would run as that user.
if [ "$(id -u)" = 0 ]; then
    cp "${WORKBENCH:-$BUILD/atomc-workbench}" others
    chown 65534 others && chmod u+sx others
    ./others workbench other --no-browser >said.others 2>&1 && status=0 || status=$?
    check rights/start \
        "[ $status = 1 ] && grep -qx 'atomc: error: the workbench does not start with the rights of another user' said.others &&
            [ ! -e other ]" said.others
else
    skipped rights/start "only root makes a program that another user owns"
fi

# ---- connections ------------------------------------------------------------------------------------------------------------

# More than 64 silent connections at the same time: the owner is still answered.
for i in $(seq 80); do
    exec {many[$i]}<>"/dev/tcp/127.0.0.1/$port" || break
done 2>many.log
check connections/among-them "[ \$(request GET /api/v1/project) = 200 ]"
for i in "${!many[@]}"; do
    exec {many[$i]}>&-
done
check connections/many "[ \$(request GET /api/v1/project) = 200 ]"

# The newest check of a document wins: the older one, whose C takes long to compile, is ended.
previous=A
for letter in B C D E F G H; do
    echo "#define $letter(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x)"
    previous=$letter
done >slow.c.body
{ echo '#define A(x) x = x * 3 + 1;' && cat slow.c.body && echo 'int slow(int x) { H(x) return x; }'; } >slow.c
jq -n --rawfile c slow.c '{text: "tool t\nbefore program call slow(1)\n", c: {"lengthy.c": $c}, document: "one"}' >slow.json
jq -n '{text: "tool t", document: "one"}' >quick.json
jq -n '{text: "tool t", document: "two"}' >other.json
(request POST /api/v1/check -d @slow.json -o first >first.status) &
tries=0 compiles='grep -a -z -s -l -x lengthy[.]c /proc/[0-9]*/cmdline'
until eval $compiles >/dev/null; do sleep 0.05; done
# Rule 8: processes that it has started are in a session of their own, have none of its descriptors, and a fixed
# environment.
for process in /proc/[0-9]*; do
    # shellcheck disable=SC2034
    read -r number name state parent group session rest 2>/dev/null <"$process/stat" || continue
    [ "$parent" != "$workbench_process" ] || echo "$number $session"
done >started
check children/session "[ -s started ] && ! awk '\$1 != \$2' started | grep ." started
while read -r number _; do
    ls -l "/proc/$number/fd"
    tr '\0' '\n' <"/proc/$number/environ" >>environments
done <started >descriptors
ls -l "/proc/$workbench_process/fd" >its.descriptors && tr '\0' '\n' <"/proc/$workbench_process/environ" >its.environment
check children/descriptors "grep -q socket: its.descriptors && grep -q ' 1 -> ' descriptors &&
    ! grep -E 'socket:|sqlite|eventpoll' descriptors" descriptors
check children/environment "grep -q WORKBENCH_SECRET its.environment && grep -q ^PATH= environments &&
    ! grep -v -E '^(LC_ALL|ATOMC_PACKAGES|HOME|PATH|TMPDIR|USER|LOGNAME|XDG_CACHE_HOME|XDG_DATA_HOME|ATOMC_CACHE|QEMU|ASAN_OPTIONS|UBSAN_OPTIONS|LSAN_OPTIONS)=' environments" environments
check newest/other-document "[ \$(request POST /api/v1/check -d @other.json) = 200 ] && [ ! -s first.status ]"
check newest/answered "[ \$(request POST /api/v1/check -d @quick.json) = 200 ]"
wait $! || true
check newest/wins "[ \$(cat first.status) = 409 ] && grep -q 'newer request' first" first
tries=0 # compilers end on a signal
while eval $compiles >/dev/null; do sleep 0.05; done
check newest/nothing-left "! ls -d project/.check-* && ! $compiles"

# ---- the end ------------------------------------------------------------------------------------------------------------------

request POST /api/v1/quit -d {} >quit.status
check quit/status "[ \$(cat quit.status) = 200 ]" quit.status
check quit/ends "ended"
check quit/removes "[ ! -e project/.address ] && [ ! -e project/project.sqlite-wal ]"
check quit/files "[ \"\$(ls -A project | sort | tr '\n' ' ')\" = 'link objects project.sqlite runs tools ' ]"
