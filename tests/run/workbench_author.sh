# workbench_author: the server's answers about texts of tools that are being written: diagnostics, places, words; their
# times; saving.
. "$tests/lib/workbench.sh"
alpha hot "$tests/data/small.c" -g
cp "$top/stdtools/branch.atd" branch.atd
workbench project
post /programs '{"path":"../hot"}' >added
page() { # FILE [FILTER]: {text, name} of a page, and the additions of the filter
    jq -n --rawfile text "$1" '{text: $text, name: "page.atd"} + '"${2:-{\}}"
}

# ---- diagnostics are those of --check -----------------------------------------------------------------------------------------

cat >wrong.atd <<'END'
tool wrong "a mistake, and another"
counter n[procs]
for b in blocks where b.nints > 4 {
    before b    n[b.proc] += 1
}
report "é.out" for p in procz
    "N" n[p]
END
page wrong.atd >wrong.json
request POST /api/v1/check -d @wrong.json >status
"$ATOMC" --check --json --as=page.atd - <wrong.atd >expected || true
check check "[ \$(cat status) = 200 ] && diff expected answered"
check replacement "jq -e '[.diagnostics[].replacement] == [\"ninsts\", \"procs\"]' answered" answered

# ---- C beside the page: its own errors, by its own name; files outside ---------------------------------------------------------

printf 'tool c\nanalysis "c.c"\ninclude "part.inc"\nbefore program call Go(1)\n' >c.atd
page c.atd \
    '{c: {"c.c": "#include \"c.h\"\nvoid Go(int n) { nn = n; }\n", "c.h": "int n;\n", "part.inc": "set s = procs p where p.nam == \"x\"\n"}}' >c.json
answer POST /api/v1/check -d @c.json >said
check c/atd "jq -e '.diagnostics | length == 1 and (.[0] | .file == \"part.inc\" and .line == 1 and
    .replacement == \"name\")' said" said
sed -i 's/p\.nam /p.name /' c.json
answer POST /api/v1/check -d @c.json >said
check c/errors "jq -e '[.diagnostics[] | select(.id == \"c\" and .severity == \"error\")] | length > 0 and
    all(.file == \"c.c\" and .line == 2)' said" said
ls -d project/tools/.drafts/* >drafts
post /check "$(cat c.json)" >said
check c/one-folder "[ \$(wc -l <drafts) = 2 ] && ls -d project/tools/.drafts/* | diff drafts -"
cat >outside <<'END'
{"text": "tool t\nanalysis \"c.c\"", "c": {"c.c": "int x;\n # include \"/etc/passwd\"\n"}}
{"text": "tool t\nanalysis \"c.c\"", "c": {"c.c": "#include </etc/passwd>\n"}}
{"text": "tool t\nanalysis \"c.c\"", "c": {"c.c": "#include \"../../../../../../etc/passwd\"\n"}}
{"text": "tool t\nanalysis \"c.c\"", "c": {"c.c": "#embed \"/etc/passwd\"\n"}}
{"text": "tool t\ninclude \"/etc/passwd\""}
{"text": "tool t\ninclude \"../hot\""}
{"text": "tool t\nanalysis \"/proc/self/environ\""}
{"text": "tool t\nuse Find from \"/tmp/x.inst.c\""}
{"text": "tool t\nuse Find from \"x.inst.c\""}
{"text": "tool t\nuse int f(Block) from\n# that is called otherwise\n\"x.c\"", "c": {"x.c": ""}}
{"text": "tool t\nanalysis \"c.c\" use int f(Block) from \"x.c\"", "c": {"c.c": "", "x.c": ""}}
END
while read -r body; do
    request POST /api/v1/check -d "$body"
    request POST /api/v1/drafts -d "$(jq -c '. + {name: "page.atd"}' <<<"$body")"
    request POST /api/v1/sites -d "$(jq -c '. + {program: 1}' <<<"$body")"
    jq -r '" \(.where.line)"' answered
done <outside >statuses
check outside "[ \$(cut -c1-9 statuses | sort -u) = 403403403 ] && [ \$(wc -l <statuses) = 11 ] &&
    ! grep -q null statuses" statuses
for name in x.inst.c ../x.c .x.c x x.json -x.c a/b.c; do
    request POST /api/v1/check -d "$(jq -nc --arg name "$name" '{text: "tool t", name: "page.atd", c: {($name): ""}}')"
    request POST /api/v1/drafts -d "$(jq -nc --arg name "$name" '{text: "tool t", name: $name}')"
    request PUT /api/v1/sources/p -d "$(jq -nc --arg name "$name" '{files: {($name): {text: "", digest: null}}}')"
    echo
done >statuses
check names "[ \$(grep -c '^40[0-9]40[0-9]40[0-9]\$' statuses) = 6 ] && [ \$(head -1 statuses) = 400400200 ]" statuses
check names/nothing-written "[ \"\$(ls project/tools/p)\" = 'package.json
x.inst.c' ]"

# ---- texts that are large, or changed by chance: an answer in any case ---------------------------------------------------------

awk 'BEGIN { print "tool large"; for (i = 0; i < 40000; i++) print "counter c" i; }' >large.atd
page large.atd >large.json
check large/status "[ \$(request POST /api/v1/check -d @large.json) = 200 ]"
awk 'BEGIN { printf "tool deep\nset s = procs p where "; for (i = 0; i < 200000; i++) printf "("; }' >deep.atd
page deep.atd >deep.json
check deep/status "[ \$(request POST /api/v1/check -d @deep.json) = 200 ] && jq -e '.diagnostics | length > 0' answered"
awk -v seed=7 'BEGIN { srand(seed); while ((getline line <"branch.atd") > 0) text = text line "\n"
    for (n = 0; n < 30; n++) { changed = text
        for (k = 0; k < 4; k++) { at = int(rand() * length(changed)) + 1
            changed = substr(changed, 1, at - 1) \
                substr("{}()[]\"$.=<#\\ \001\377", int(rand() * 17) + 1, 1) substr(changed, at + int(rand() * 30)) }
        printf "%s", changed >("changed." n) } }'
# On a machine that is busy the language server may take longer than the workbench waits (503): such a request is made again.
again() { # WORD... of request
    local status=503
    for try in 1 2 3 4 5; do
        [ $status != 503 ] || status=$(request "$@")
    done
    printf %s "$status"
}
for file in changed.*; do
    page "$file" >body
    again POST /api/v1/check -d @body
    for ask in completion hover definition symbols; do
        jq -c --arg ask $ask '{text, ask: $ask, line: 33, character: 9}' body >asked
        again POST /api/v1/language -d @asked
    done
    jq -c '. + {program: 1, procedures: ["main"]}' body >asked
    again POST /api/v1/sites -d @asked
    echo
done >statuses
check changed "[ \$(wc -l <statuses) = 30 ] && [ \$(sort -u statuses) = 200200200200200200 ]" statuses

# ---- words ---------------------------------------------------------------------------------------------------------------------

ask() { # ASK LINE CHARACTER: for branch.atd
    jq -n --rawfile text branch.atd --arg ask "$1" "{text: \$text, ask: \$ask, line: $2, character: $3}" >asked
    answer POST /api/v1/language -d @asked
}
line=$(grep -n 'b\.is_\|b\.[a-z]' branch.atd | head -1)
number=$((${line%%:*} - 1)) text=${line#*:}
before=${text%%b.*}
ask completion $number $((${#before} + 2)) >said
"$ATOMC" info attributes --json | jq '[.attributes[] | select(.place == "inst") | .attribute] | sort' >expected
check language/completion "jq '[.result.items[] | select(.kind == 10) | .label] | sort' said | diff expected -"
ask hover $number $((${#before} + 3)) >said
attribute=$(echo "$text" | sed "s/.*\bb\.\([a-z_]*\).*/\1/")
check language/hover "jq -e --arg help \"\$('$ATOMC' info attributes --json |
    jq -r '[.attributes[] | select(.place == \"inst\" and
    .attribute == \"$attribute\")][0].help')\" '.result.contents.value | endswith(\$help)' said" said
check language/unknown "[ \$(request POST /api/v1/language -d '{\"text\":\"\",\"ask\":\"rename\"}') = 400 ]"

# ---- places: those of --dump=sites ---------------------------------------------------------------------------------------------

"$ATOMC" -t branch --dump=sites --json hot | jq -c 'select(.skipped | not)' >lines
"$ATOMC" -t branch --dump=sites --only=main --json hot |
    jq -c 'select(.skipped | not) | [.pc, .when, .text, .statement.begin, .statement.end]' >expected
page branch.atd '{program: 1, procedures: ["main"]}' >body
answer POST /api/v1/sites -d @body >said
check sites "jq -c '.sites[] | [.pc, .when, .text, .statement.begin, .statement.end]' said | diff expected -"
# A procedure that has none, of a tool that has some: no site, and no message.
none=$("$ATOMC" --dump=procedures --json hot | jq -r 'select(.name != "main").name' | head -n 1)
jq -n --arg name "$none" \
    '{text: "tool t \"x\"\ncounter n\nfor p in procs where p.name == \"main\" { before p n += 1 }\nreport \"t.out\" \"n\" n\n", program: 1, procedures: [$name]}' >body
check sites/none "[ \$(request POST /api/v1/sites -d @body) = 200 ] && jq -e '.sites == [] and .diagnostics == []' answered &&
    jq '.procedures = [\"main\"]' body >main && answer POST /api/v1/sites -d @main | jq -e '.sites | length > 0'" answered
page branch.atd '{program: 1, count: true}' >body
answer POST /api/v1/sites -d @body >said
check sites/count "jq -e '.sites == $(wc -l <lines) and ([.statements[].sites] | add) == .sites and
    .procedures.main == $(wc -l <expected) and .skipped == []' said" said
printf 'tool s changes\nfor p in procs {\n    after p    set $ret = 0\n}\n' >skip.atd
"$ATOMC" --dump=sites --json skip.atd hot | jq -s -c \
    '[.[] | select(.skipped)] | group_by(.skipped) | map([.[0].skipped, (map(.count) | add)])' >expected
page skip.atd '{program: 1, count: true}' >body
answer POST /api/v1/sites -d @body >said
check sites/skipped "! grep -qx '\[\]' expected && jq -c '[.skipped[] | [.reason, .count]] | sort' said | diff expected - &&
    jq -e '.skipped[0].examples[0].pc' said" said

# ---- a check that a newer one of the document takes the place of ---------------------------------------------------------------

previous=A
for letter in B C D E F G H; do
    echo "#define $letter(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x) $previous(x)"
    previous=$letter
done >slow.body
{ echo '#define A(x) x = x * 3 + 1;' && cat slow.body && echo 'int slow(int x) { H(x) return x; }'; } >slow.c
jq -n --rawfile c slow.c \
    '{text: "tool t\nanalysis \"slow.c\"\nbefore program call slow(1)\n", name: "page.atd", c: {"slow.c": $c}, document: "one"}' \
    >slow.json
(request POST /api/v1/check -d @slow.json -o first >first.status) &
tries=0
until grep -a -z -s -l '^slow[.]c$' /proc/[0-9]*/cmdline >/dev/null || [ $tries -gt 100000 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
page branch.atd '{document: "one"}' >body
check superseded/newer "[ \$(request POST /api/v1/check -d @body) = 200 ]"
wait $! || true
tries=0
while grep -a -z -s -l '^slow[.]c$' /proc/[0-9]*/cmdline >/dev/null && [ $tries -lt 100000 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
check superseded/older "[ \$(cat first.status) = 409 ] && [ $tries -lt 100000 ]" first.status

# ---- C of a stock tool ----------------------------------------------------------------------------------------------------

get '/sources?tool=cache' | jq '(.files | map({key: .name, value: .text}) | from_entries) as $all
    | {text: $all["cache.atd"], name: "cache.atd", c: ($all | del(.["cache.atd"]))}' >cache.json
check stock/good "answer POST /api/v1/check -d @cache.json | jq -e '.diagnostics == []'"

# ---- tools to begin with, and saving -------------------------------------------------------------------------------------------

get '/sources?tool=cache' >said
check tool/files "jq -e '[.files[].name] | index(\"cache.atd\") == 0 and index(\"cache.c\") and index(\"table.h\")' said &&
    jq -r '.files[0].text' said | cmp - <(cat '$top/stdtools/cache.atd'; echo)"
get '/sources?tool=coverage' >said
check tool/all-of-it "jq -e '[.files[].name] | index(\"coverage_page.c\")' said"
check tool/none "[ \$(request GET '/api/v1/sources?tool=nosuch') = 404 ] && [ \$(request GET '/api/v1/sources?tool=-x') = 404 ]"
save() { # PACKAGE FILE TEXT DIGEST
    request PUT "/api/v1/sources/$1" -d \
        "$(jq -nc --arg name "$2" --arg text "$3" --argjson digest "$4" '{files: {($name): {text: $text, digest: $digest}}}')"
}
check save/new "[ \$(save mine count.atd 'tool count' null) = 200 ] &&
    [ \"\$(cat project/tools/mine/count.atd)\" = 'tool count' ]"
first=$(jq -c '.files[0].digest' answered)
check save/package "jq -c '[.name, .tools]' project/tools/mine/package.json | grep -qFx '[\"mine\",[\"count.atd\"]]'"
check save/twice "[ \$(save mine count.atd 'tool other' null) = 409 ] && jq -e '.where.text == \"tool count\"' answered &&
    [ \"\$(cat project/tools/mine/count.atd)\" = 'tool count' ]"
check save/again "[ \$(save mine count.atd 'tool again' '$first') = 200 ] &&
    [ \$(save mine count.atd 'tool lost' '$first') = 409 ] &&
    [ \"\$(cat project/tools/mine/count.atd)\" = 'tool again' ]" answered
second=$(get /sources/mine | jq -c '.files[0].digest')
echo 'tool outside' >project/tools/mine/count.atd
check save/changed-outside "[ \$(save mine count.atd 'tool mine' '$second') = 409 ] &&
    jq -e '.where.text == \"tool outside\n\"' answered && grep -qx 'tool outside' project/tools/mine/count.atd" answered
third=$(get /sources/mine | jq -c '.files[0].digest')
rm project/tools/mine/count.atd
check save/removed-outside "[ \$(save mine count.atd 'tool mine' '$third') = 409 ] &&
    jq -e '.where.text == null' answered" answered
cat >count.atd <<'END'
tool count "counts"
counter n[procs]
for p in procs {
    before p    n[p]++
}
report "-" for p in procs where n[p] > 0
    "Procedure" p.name, "Calls" n[p]
END
check save/link "ln -s ../../hot project/tools/mine/link.atd && [ \$(save mine link.atd x null) = 409 ] &&
    head -c 4 hot | grep -q -a ELF"
ln -s "$PWD" project/tools/elsewhere
check save/linked-folder "[ \$(save elsewhere x.atd 'tool x' null) = 409 ] && [ ! -e x.atd ] &&
    [ \$(request GET /api/v1/sources/elsewhere) = 404 ]"
check save/names "[ \$(save A x.atd '' null) = 400 ] && [ \$(save ..%2f..%2fa x.atd '' null) = 400 ] &&
    [ \$(save .drafts x.atd '' null) = 400 ]"
echo 'no JSON' >project/tools/p/package.json
check save/no-json "[ \$(save p x.atd '' null) = 409 ] && [ ! -e project/tools/p/x.atd ] &&
    grep -q 'no JSON' project/tools/p/package.json"
# Two savings at the same time: one of them succeeds, and the other gets an error.
save race race.atd 'tool race' null >one.status &
one=$!
save race race.atd 'tool other' null >two.status
wait $one || true
check save/race "[ \"\$(cat one.status two.status | fold -w3 | sort | tr '\n' ' ')\" = '200 409 ' ]" one.status

# A saved tool is used like any other; an unsaved tool can be run.
check saved/list "rm -f project/tools/mine/link.atd &&
    [ \$(request PUT /api/v1/sources/mine -d \"\$(jq -n --rawfile text count.atd \
        '{files: {\"count.atd\": {text: \$text, digest: null}}, description: \"mine\"}')\") = 200 ] &&
    get /tools | jq -e '[.tools[] | select(.package == \"mine\" and .name == \"count\")] | length == 1'"
check saved/archive "'$ATOMC' package make project/tools/mine -o mine.tar.zst"
answer POST /api/v1/drafts -d "$(page count.atd)" >drafted
path=$(jq -r .path drafted)
answer POST /api/v1/runs -d "$(jq -n --arg path "$path" '{program: {path: "../hot"}, tools: [{path: $path}]}')" >posted
check draft/run "[ \"\$(until_run \$(jq .id posted))\" = finished ]" posted
check draft/same "answer POST /api/v1/drafts -d \"\$(page count.atd)\" | cmp - drafted"
check end "[ \$(request POST /api/v1/quit -d {}) = 200 ] && ended"
