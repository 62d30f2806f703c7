# workbench_hostile: changed requests, and changed databases, against the workbench's server, in make check-all the
# sanitized server: it does not end, does not leak, and writes nothing outside of its project.
. "$tests/lib/workbench.sh"
if [ "$SIZE" = all ] && [ -z "${WORKBENCH:-}" ]; then
    make -C "$top" --no-print-directory BUILD="${ATOMC_CHECKED%/atomc}" OPTIMIZE=-O1 \
        SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
        "${ATOMC_CHECKED%/atomc}/atomc-workbench" \
        "${ATOMC_CHECKED%/atomc}/atomc-results" "${ATOMC_CHECKED%/atomc}/atomc-job" \
        "${ATOMC_CHECKED%/atomc}/atomc-package" >make.log 2>&1 ||
        failed build "make failed" make.log
    WORKBENCH=${ATOMC_CHECKED%/atomc}/atomc-workbench
fi
gcc -O1 -Wall -Wextra -Werror "$tests/fuzz/requests.c" -o requests
gcc -O1 -Wall -Wextra -Werror "$tests/fuzz/files.c" -o files
alpha small "$tests/data/small.c" -g
workbench project
post /runs '{"program":{"path":"../small"},"tools":[{"name":"hiprof"},{"name":"branch"}]}' >posted
until_run 1 >state
check run "[ \$(cat state) = finished ]" posted
post /programs "{\"path\":\"$scratch/small\"}" >added
pc=$(get '/programs/1/procedures?limit=1' | jq -r '.procedures[0].pc')
printf 'main;a 3\nmain;b 4\n' >stacks
sed "s|@SCRATCH@|$scratch|g; s|@TOKEN@|$token|; s|@PC@|$pc|; s|@DIGEST@|$(sha256sum <small | cut -d' ' -f1)|" \
    "$tests/fuzz/requests.txt" >corpus
cp -r "project/$(get /runs/1 | jq -r .folder)" left
ls -A . | grep -v '^project$' >outside
count=$(pick 300 10000)
./requests "$port" "$(cookie)" "$count" "${SEED:-1}" <corpus >sent 2>&1 && status=0 || status=$?
check requests/survived "[ $status = 0 ] && kill -0 $workbench_process" said.errors
check requests/answered "tail -n 1 sent | awk '{ exit !(\$4 + 0 > $count / 10 && \$8 + 0 > $count / 4) }'" sent
check requests/no-internal-error "! grep '^500 ' sent && tail -n 1 sent | awk '{ exit !(\$10 + 0 < $count / 50) }'" sent
tail -n 1 sent
check requests/nothing-outside "ls -A . | grep -v -e '^project\$' -e '^sent\$' -e '^outside\$' -e '^check.log\$' -e '^kept\$' |
    diff - <(grep -v -e '^outside\$' -e '^check.log\$' -e '^kept\$' outside)"
check requests/still-answers "[ \$(request GET /api/v1/project) = 200 ]"

# Files that somebody, or a disk, has changed: results of runs, results of other programs, uploads. They are refused, or
# accepted and shown.
folder=left
cat >callgrind <<'END'
version: 1
cmd: /usr/bin/prog
positions: instr line
events: Ir Dr
fl=(1) a.c
fn=(1) main
0x100 3 10 1
+4 +1 2
cfn=(2) work
calls=2 0x200 9
* 4 20 2
fn=(2)
0x200 9 20 2
END
printf 'TN:\nSF:a.c\nFN:3,main\nFNDA:1,main\nBRDA:3,0,1,-\nDA:3,1\nDA:4,7\nend_of_record\n' >lcov
count=$(pick 6 400) wrong=0 taken=0 refused=0
: >wrong.files
for kind in rows tree run.json callgrind lcov stacks; do
    case $kind in
    rows) source=$(find "$folder" -name 'branch.*.rows' | sort | head -n 1) ;;
    tree) source=$(grep -rl '"role":"node"' "$folder/out") ;;
    run.json) source=$folder/run.json ;;
    *) source=$kind ;;
    esac
    rm -rf changed && mkdir changed
    ./files "$count" "${SEED:-1}" changed <"$source"
    for i in $(seq "$count"); do
        case $kind in
        rows | tree) mv "changed/$i" "changed/$i.rows" && path=changed/$i.rows ;;
        run.json) rm -rf changed/run && mkdir changed/run && cp -r "$folder/out" changed/run &&
            mv "changed/$i" changed/run/run.json && path=changed/run ;;
        *) path=changed/$i ;;
        esac
        status=$(request POST /api/v1/import -d "{\"path\":\"$scratch/$path\"}")
        case $status in
        20?)
            taken=$((taken + 1)) run=$(jq .id answered)
            for shown in "/runs/$run" "/runs/$run/tables" "/runs/figures?runs=$run" "/runs/$run/annotation?procedure=$pc"; do
                [[ $(request GET "/api/v1$shown") = [24]?? ]] || echo "$kind $i $shown: $(cat answered)" >>wrong.files
            done
            [ "$run" = 1 ] || request DELETE "/api/v1/runs/$run" >deleted
            ;;
        4??) refused=$((refused + 1)) ;;
        *) echo "$kind $i: $status $(cat answered)" >>wrong.files && cp -r "$path" "kept.$kind.$i" ;;
        esac
    done
done
check files "[ ! -s wrong.files ] && [ $refused -gt $count ] && [ $taken -gt 0 ]" wrong.files
echo "# $((6 * count)) changed files: $taken taken, $refused refused"
check files/tidy "[ \$(ls -A project/runs | grep -c '[.]tmp\$\|[.][A-Za-z0-9]\{6\}\$') = 0 ]"

# Packages that somebody, or a disk, has changed: archives and folders to be added, and packages in the project's
# tools/. They are refused, or complete; their contents are listed, shown, checked or refused, and nothing is written
# elsewhere.
mkdir -p sample archives folders
cat >sample/entries.atd <<'END'
tool entries "entries of main"
param int least = 0 "nothing counts less"
counter entered
for p in procs where p.name == "main" { before p entered++, call Count(least) }
report "entries.out" "entered" entered
END
printf 'void Count(long least) {\n    (void)least;\n}\n' >sample/entries.c
printf '# about\n' >sample/README.md
cat >sample/package.json <<'END'
{"name": "sample", "version": "1.0", "description": "an example", "tools": ["entries.atd"],
 "presets": [{"tool": "entries", "name": "many", "parameters": {"least": 10}}]}
END
gcc -O1 -Wall -Wextra -Werror "$tests/fuzz/packages.c" -o packages
ATOMC_PACKAGES=$scratch/none "$ATOMC" package make sample -o sample.tar.zst
zstd -qdf sample.tar.zst -o sample.tar
count=$(pick 12 1500) taken=0 refused=0
./packages "$count" "${SEED:-1}" archives <sample.tar
find archives -name '*.tar' -exec zstd -q --rm {} +
# Some are as the disk has damaged them.
mkdir torn.archives && ./files $((count / 8)) "${SEED:-1}" torn.archives <sample.tar.zst
for i in $(seq $((count / 8))); do mv "torn.archives/$i" "archives/$i.tar.zst"; done
: >wrong.packages
in_tools() { # except texts that are being written
    ls -A project/tools | grep -v -x .drafts
}
tidy() {
    [ -z "$(in_tools | grep -v -x -e '[a-z0-9][a-z0-9_.-]*')" ] && [ ! -e escaped ] &&
        [ ! -e project/escaped ] && [ ! -e /tmp/escaped ]
}
unwell() { # WHAT STATUS: records the status of a request
    [[ $2 = [24]?? ]] || echo "$1: $2 $(head -c 500 answered)" >>wrong.packages
}
looked_at() { # WHAT NAME: the package is listed, shown, checked, packed
    unwell "$1 list" "$(request GET /api/v1/packages)"
    unwell "$1 tools" "$(request GET /api/v1/tools)"
    unwell "$1 tool" "$(request GET "/api/v1/tools/$2/entries")"
    unwell "$1 sources" "$(request GET "/api/v1/sources/$2")"
    unwell "$1 check" "$(request POST /api/v1/check -d "{\"tools\":[{\"name\":\"$2/entries\"}],\"program\":1}")"
    unwell "$1 archive" "$(request GET "/api/v1/packages/$2/archive")"
}
check packages/unchanged "[ \$(request POST /api/v1/packages -d '{\"path\":\"$scratch/sample.tar.zst\"}') = 201 ] &&
    post /check '{\"tools\":[{\"name\":\"sample/entries\"}],\"program\":1}' | jq -e '.diagnostics == []'" answered
for i in $(seq "$count"); do
    rm -rf project/tools/*
    status=$(request POST /api/v1/packages -d "{\"path\":\"$scratch/archives/$i.tar.zst\"}")
    unwell "archive $i" "$status"
    if [ "$status" = 201 ]; then
        taken=$((taken + 1))
        [ $((taken % 4)) != 1 ] || looked_at "archive $i" "$(jq -r .name answered)"
    else
        refused=$((refused + 1))
        [ -z "$(in_tools)" ] || echo "archive $i: refused, but left: $(in_tools)" >>wrong.packages
    fi
    tidy || echo "archive $i: $(in_tools)" >>wrong.packages
done
count=$(pick 2 100) listed=0
for file in package.json entries.atd entries.c README.md; do
    rm -rf changed && mkdir changed
    ./files "$count" "${SEED:-1}" changed <"sample/$file"
    for i in $(seq "$count"); do
        rm -rf project/tools/* folders/sample
        cp -r sample folders/sample && cp "changed/$i" "folders/sample/$file"
        unwell "folder $file $i" "$(request POST /api/v1/packages -d "{\"path\":\"$scratch/folders/sample\"}")"
        rm -rf project/tools/* && cp -r folders/sample project/tools/sample
        looked_at "installed $file $i" sample
        listed=$((listed + 1))
        tidy || echo "folder $file $i: $(in_tools)" >>wrong.packages
    done
done
rm -rf project/tools/*
check packages "[ ! -s wrong.packages ] && [ $refused -gt $taken ] && [ $taken -gt 0 ] && [ $listed -gt 0 ]" wrong.packages
echo "# $((taken + refused)) changed archives: $taken taken, $refused refused; $listed changed folders, added and in place"
request POST /api/v1/quit -d '{"stop":true}' >quit
check requests/ended "ended" said.errors
check requests/no-fault "! grep -E 'Sanitizer|runtime error|Assert' said.errors" said.errors

# Databases that somebody, or a disk, has changed: refused with one line, or opened and read.
cp project/project.sqlite whole
bytes=$(stat -c %s whole) n=$(pick 3 200) wrong=0 i=0
while [ $i -lt "$n" ]; do
    i=$((i + 1))
    rm -rf torn && mkdir torn && cp whole torn/project.sqlite
    awk -v seed=$i -v bytes="$bytes" 'BEGIN { srand(seed);
        for (k = 0; k < 40; k++) printf "%d\n", int(rand() * (k % 2 ? bytes : 8192)) }' |
        while read -r at; do
            printf "\\$(printf %03o $((at * 7 % 256)))" | dd of=torn/project.sqlite bs=1 seek="$at" conv=notrunc status=none
        done
    [ $((i % 5)) != 0 ] || truncate -s $((bytes / 2)) torn/project.sqlite
    workbench torn
    if [ -n "$address" ]; then
        for path in /project /programs /runs /runs/1 /runs/1/tables /tables/1 '/tables/1/rows?sort=-1' /presets; do
            get "$path" >got
        done
        request POST /api/v1/quit -d '{"stop":true}' >quit
        ended || { wrong=$((wrong + 1)) && cp said.errors "wrong.$i"; }
    else
        wait "$workbench_process" && status=0 || status=$?
        [ "$status" = 1 ] || { wrong=$((wrong + 1)) && cp said.errors "wrong.$i"; }
    fi
    ! grep -q -E 'Sanitizer|runtime error|Assert' said.errors || { wrong=$((wrong + 1)) && cp said.errors "wrong.$i"; }
done
cat wrong.* >wrong 2>wrong.none || true
check databases "[ $wrong = 0 ]" wrong
