# workbench_packages: packages over HTTP: added to the project from folders, archives, uploads and the gallery, listed,
# used, packed, trusted by their digest, removed; hostile packages are refused, and nothing is written.
. "$tests/lib/workbench.sh"
export XDG_DATA_HOME=$scratch/data
unset ATOMC_PACKAGES
mkdir source
cat >source/entries.atd <<'END2'
tool entries "entries of main"
param int least = 0 "nothing counts less"
counter entered
for p in procs where p.name == "main" { before p entered++ }
report "entries.out" "entered" entered
END2
echo '# about' >source/README.md
cat >source/package.json <<'END2'
{"name": "sample", "version": "1.0", "description": "<b>an example</b>", "tools": ["entries.atd"],
 "presets": [{"tool": "entries", "name": "many", "parameters": {"least": 10}}]}
END2
package() { timeout -s KILL 1500 "$ATOMC" package "$@"; }
package make source -o sample.tar.zst
digest=$(ATOMC_PACKAGES=$scratch/list sh -c "mkdir list && cp -r source list/sample && '$ATOMC' package list --json" |
    jq -r '.packages[0].digest')
workbench project
add() { # BODY: the answer is written to `answered`; prints the status
    request POST /api/v1/packages -d "$1"
}

# ---- added, listed, used, packed, removed -------------------------------------------------------------------------------

check add/folder "[ \$(add '{\"path\":\"$scratch/source\"}') = 201 ] &&
    jq -e '.name == \"sample\" and .needs_trust == false' answered && diff -r source project/tools/sample" answered
check add/nowhere-else "[ ! -e data ] && [ \"\$(ls -A project/tools)\" = sample ]"
check list "get /packages | jq -e '.packages == [.packages[0]] and .packages[0].name == \"sample\" and
    .packages[0].digest == \"$digest\" and .packages[0].readme == \"# about\n\"'"
check tools "get /tools | jq -e '.tools[] | select(.package == \"sample\") | .name == \"entries\"' &&
    get /tools/sample/entries | jq -e '.tools[0].presets[0].parameters.least == 10'"
check archive "[ \$(request GET /api/v1/packages/sample/archive -D headers) = 200 ] && cmp answered sample.tar.zst &&
    grep -qi 'sample-1.0.tar.zst' headers" headers
check remove "[ \$(request DELETE /api/v1/packages/sample) = 200 ] && [ -z \"\$(ls -A project/tools)\" ] &&
    [ \$(request DELETE /api/v1/packages/sample) = 404 ]" answered
check add/archive "[ \$(add '{\"path\":\"$scratch/sample.tar.zst\",\"digest\":\"$digest\"}') = 201 ] &&
    diff -r source project/tools/sample" answered
request DELETE /api/v1/packages/sample >log
request POST '/api/v1/objects?name=sample.tar.zst' -H Content-Type:application/octet-stream --data-binary @sample.tar.zst >log
check add/upload "[ \$(add \"{\\\"path\\\":\$(jq .path answered)}\") = 201 ] && diff -r source project/tools/sample" answered
sed -i 's/"1.0"/"1.1"/' source/package.json
check add/replaced "[ \$(add '{\"path\":\"../source\"}') = 201 ] &&
    get /packages | jq -e '.packages[0].version == \"1.1\"'" answered
alpha small "$tests/data/small.c"
post /programs "{\"path\":\"$scratch/small\"}" >log
post /runs "{\"program\":{\"path\":\"$scratch/small\"},\"tools\":[{\"name\":\"sample/entries\"}]}" >posted
check used "[ \$(until_run 1) = finished ] && get /runs/1/tables | jq -e '.tables[0].tool == \"entries\"'" posted
first=$(get /gallery | jq -r '.packages[0].name')
check gallery "[ \$(add '{\"gallery\":\"$first\"}') = 201 ] && get /gallery | jq -e '.packages[0].added' &&
    [ \$(request DELETE /api/v1/packages/$first) = 200 ]" answered

# ---- refused --------------------------------------------------------------------------------------------------------------

(cd project/tools && find . | sort) >before
unchanged() {
    (cd project/tools && find . | sort) | diff before - && [ ! -e data ] && [ ! -e escaped ]
}
refuses() { # TEST STATUS TEXT BODY
    local text=$3 body=$4
    check "refused/$1" "[ \$(add \"\$body\") = $2 ] && grep -q -F -e \"\$text\" answered && unchanged" answered
}
refuses neither 400 'added by' '{}'
refuses both 400 'added by' '{"path":"../source","gallery":"calls"}'
refuses outside 403 'not below a folder' '{"path":"/etc"}'
refuses gallery-outside 400 'no package' '{"gallery":"../../etc"}'
refuses gallery-unknown 400 'no package is called' '{"gallery":"nothing-of-this-name"}'
refuses digest 400 'not the package that was asked for' "{\"path\":\"../source\",\"digest\":\"$digest\"}"
refuses digest-form 400 'a digest has' '{"path":"../source","digest":"x; rm -rf /"}'
refuses option 400 '' '{"path":"--into=/tmp"}'
ln -s /etc linked && refuses link-to-folder 403 'not below a folder' "{\"path\":\"$scratch/linked\"}"
cp -r source wrong && ln -s /etc/passwd wrong/link && refuses link 400 'not a package' '{"path":"../wrong"}' && rm wrong/link
cp /bin/true wrong/setuid && chmod 4755 wrong/setuid && refuses set-user-id 400 'set-user-id' '{"path":"../wrong"}'
tar -C wrong -cf wrong.tar . && zstd -qf wrong.tar &&
    refuses set-user-id-archive 400 'set-user-id' '{"path":"../wrong.tar.zst"}' && rm wrong/setuid
mkfifo wrong/pipe && refuses fifo 400 'not a package' '{"path":"../wrong"}' && rm wrong/pipe
touch "wrong/a name" && refuses name 400 'a name that no file' '{"path":"../wrong"}' && rm "wrong/a name"
tar -P -C wrong -cf wrong.tar --transform 's|README.md|../../escaped|' . && zstd -qf wrong.tar &&
    refuses upward 400 'a name that no file' '{"path":"../wrong.tar.zst"}'
truncate -s 2G bomb && zstd -qf bomb -o wrong.tar.zst && rm bomb &&
    refuses bomb 400 'more than 100 MB' '{"path":"../wrong.tar.zst"}'
sed -i 's/"version"/"requires": "99.1", "version"/' wrong/package.json &&
    refuses requires 400 'requires atomc 99.1' '{"path":"../wrong"}'
head -c 100 sample.tar.zst >wrong.tar.zst && refuses cut 400 'not a package' '{"path":"../wrong.tar.zst"}'
check refused/remove-outside "[ \$(request DELETE /api/v1/packages/..%2f..%2fproject) = 404 ] &&
    [ \$(request DELETE /api/v1/packages/..) = 404 ] && unchanged"
check refused/archive "[ \$(request GET /api/v1/packages/..%2f..%2fsource/archive) = 404 ] &&
    [ \$(request GET /api/v1/packages/nothing/archive) = 404 ]"
check refused/origin \
    "[ \$(request POST /api/v1/packages -H Origin:http://evil.example -d '{\"path\":\"../source\"}') = 403 ] && unchanged"
mv project/tools project/kept && mkdir elsewhere && ln -s ../elsewhere project/tools
check refused/linked-tools "[ \$(add '{\"path\":\"../source\"}') = 409 ] && [ -z \"\$(ls -A elsewhere)\" ]" answered
rm project/tools && mv project/kept project/tools

# ---- trust: in files that the user has seen -----------------------------------------------------------------------------------

cp -r source inner && cd inner
printf 'int Twice(int n) { return 2 * n; }\n' >twice.inst.c
sed -i 's/p.name == "main"/p.name == "main" and Twice(1) == 2/; 1a use int Twice(int) from "twice.inst.c"' entries.atd
sed -i 's/"sample"/"inner"/' package.json
cd ..
check trust/needed "[ \$(add '{\"path\":\"../inner\"}') = 201 ] && jq -e .needs_trust answered &&
    get /packages | jq -e '.packages[] | select(.name == \"inner\") | .runs_host_code and (.trusted | not)'" answered
compiles() { post /check "{\"tools\":[{\"name\":\"inner/entries\"}],\"program\":1}" | tee checked |
    jq -e '.diagnostics | length == 0'; }
check trust/refused "! compiles && grep -q 'is not trusted' checked" checked
check trust/other "[ \$(request POST /api/v1/packages/inner/trust -d '{\"digest\":\"$digest\"}') = 409 ] &&
    [ ! -e data/atomc/trusted ]" answered
own=$(get /packages | jq -r '.packages[] | select(.name == "inner") | .digest')
check trust/none "[ \$(request POST /api/v1/packages/inner/trust -d '{}') = 400 ] &&
    [ \$(request POST /api/v1/packages/nothing/trust -d '{\"digest\":\"$own\"}') = 404 ]" answered
check trust/accepted "[ \$(request POST /api/v1/packages/inner/trust -d '{\"digest\":\"$own\"}') = 200 ] &&
    grep -q $own data/atomc/trusted && compiles" checked
echo >>project/tools/inner/twice.inst.c
check trust/changed "! compiles && grep -q 'is not trusted' checked" checked
kill "$workbench_process"

# ---- a project whose path has what shells and lists of folders take for something else --------------------------------------

strange="pro:j ect\\'s"
mkdir "$strange"
workbench "$strange"
check strange/used "[ \$(add '{\"path\":\"$scratch/source\"}') = 201 ] &&
    get /tools/sample/entries | jq -e '.tools[0].package == \"sample\"'" answered
post /programs "{\"path\":\"$scratch/small\"}" >log
post /runs "{\"program\":{\"path\":\"$scratch/small\"},\"tools\":[{\"name\":\"sample/entries\"}]}" >posted
check strange/run "[ \$(until_run 1) = finished ]" posted
get /runs/1 | jq -r .command >command
get /project | jq -r .packages >packages
# The line does the same in a shell, in another folder.
mkdir elsewhere.shell
shell() { # a line, with this build's atomc
    (cd elsewhere.shell && PATH=${ATOMC%/*}:$PATH sh -c "$1")
}
check strange/command "shell \"\$(cat command)\" && [ \"\$(cd \"\$strange\" &&
    jq -c .key runs/*.0/run.json)\" = \"\$(jq -c .key elsewhere.shell/run-1/run.json)\" ]" command
check strange/packages "shell \"\$(cat packages) atomc package list\" | grep -q sample/entries &&
    shell \"\$(cat packages) atomc --help -t sample/entries\" | grep -q entries" packages
post /runs/look "{\"program\":{\"path\":\"$scratch/small\"},\"tools\":[{\"name\":\"prof\"}]}" >looked
check strange/without "jq -e '.command | test(\"^atomc run --job=\")' looked" looked
kill "$workbench_process"
