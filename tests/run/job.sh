# job: atomc run --job: the files of a run, the same bytes wherever it is made, limits and ends that leave no files, and
# descriptions that are refused.
cat >program.c <<'END2'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) long work(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
static int is(const char *word, const char *other) { return strcmp(word, other) == 0; }
int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    work(100);
    if (is(what, "see")) {
        char line[100] = "", other[100] = "";
        FILE *file = fopen("given/data", "r"), *made = fopen("made", "w");
        for (int i = 0; i < count; i++) printf("%d %s\n", i, words[i]);
        printf("%s %s %d\n", getenv("NAME"), getenv("HOME"), fgets(line, sizeof line, stdin) != NULL);
        printf("%s%s", line, file && fgets(other, sizeof other, file) ? other : "");
        fprintf(made, "text\n");
        symlink("/etc/passwd", "link");
        return 3;
    }
    for (long n = is(what, "time") ? (long)clock() % 100000 / 10 : 0; n > 0; n--) work(1);
    if (is(what, "loop")) for (;;) work(1000);
    if (is(what, "deaf")) for (signal(SIGTERM, SIG_IGN);;) work(1000);
    if (is(what, "memory")) for (;;) memset(malloc(1 << 20), 1, 1 << 20), usleep(1000);
    if (is(what, "output")) for (;;) puts("0123456789012345678901234567890123456789012345678901234567890123456789");
    if (is(what, "disk")) { FILE *file = fopen("large", "w"); for (;;) fputs("0123456789012345678901234567890123456789", file); }
    if (is(what, "forks")) for (;;) if (fork() == 0) { sleep(100); return 0; } else usleep(10000);
    if (is(what, "children")) { if (fork() == 0) { work(10); return 0; } wait(NULL); }
    if (is(what, "leaves")) { if (fork() == 0) { usleep(300000); work(10); return 0; } }
    if (is(what, "raise")) raise(SIGABRT);
    if (is(what, "look")) { /* at what instrumentation changes: its own file */
        FILE *file = fopen("program", "r"), *made = fopen("made", "w");
        fseek(file, 0, SEEK_END);
        printf("%ld\n", ftell(file));
        fprintf(made, "%ld\n", ftell(file));
        return ftell(file) / 65536; /* the instrumented file is larger by more than that */
    }
    return 0;
}
END2
alpha program program.c -g
cat >work.atd <<'END2'
tool work "entries of work"
counter entered
for p in procs where p.name == "work" {
    before p    entered++
}
report "work.out" "entered" entered
END2
export ATOMC_CACHE=$PWD/cache
mkdir jobs
mark=${scratch##*/}
echo "$mark" >mine
job() { # NAME ARGUMENT [JSON]: makes jobs/NAME.json, with more members
    echo "{\"program\":{\"path\":\"$PWD/program\"},\"tools\":[{\"path\":\"$PWD/work.atd\"}],\"arguments\":[\"$2\",\"$mark\"]${3:+,$3}}" >jobs/$1.json
}
run() { # NAME [WORD...]: into NAME
    timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run --job=jobs/$1.json --into="$@"
}
value() { # NAME FILTER: of run.json
    jq -r "$2" "$1/run.json"
}
entered() { # NAME: of all processes
    cat "$1"/out/*/work.1.rows* | jq -s 'map(arrays | .[0]) | add'
}
left() { # how many words of commands of processes have to do with this folder?
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c -F -f mine || true
}

# ---- what there is --------------------------------------------------------------------------------------------------------

echo input >input
echo data >data
job see "see" \
    "\"input\":{\"path\":\"input\"},\"files\":[{\"as\":\"given/data\",\"path\":\"data\"}],\"environment\":{\"NAME\":\"a b\"}"
run see --events=5 5>events
printf '0 program\n1 see\n2 '$mark'\na b %s 1\ninput\ndata\n' \
    "$(value see .isolation | sed 's|sandbox|/run/atomc|; s|plain|/.*|')" >expected
zstdcat see/stdout.zst >found
check output "sed 's|/var/tmp/atomc-........|/.*|' found | diff expected -"
check record \
    "[ \"\$(value see '[.state, .exit_status, .signal, .arguments[0],
        .tools[0].name, .tables[0].rows, .tables[0].tool] | map(tostring) |
            join(\" \")')\" = 'finished 3 null see work 1 work' ]" see/run.json
check rows "[ \$(entered see) = 1 ]"
check files "[ \$(cat see/files/made) = text ] && [ ! -e see/files/link ] && [ ! -e see/files/given ] &&
    value see '.notes[]' | grep -q links"
check artifacts "[ \"\$(value see '.artifacts[].file')\" = files/made ]"
check events "[ \"\$(jq -r '.event + \" \" + (.phase // \"\")' events | grep -v progress | sort -u |
    tr '\n' ',')\" = 'artifact ,ended ,output ,phase collect,phase instrument,phase run,table ,' ]" events
check log "diff <(grep -v -e progress -e output events) <(grep -v progress see/log.jsonl)"
check typed "(cd see && eval \"\$(value . '.commands[0].text' | sed 's|^atomc|$ATOMC|')\") && [ -x see/program.atom ]"
# The shown command runs in a shell: the same output, except for the home.
mkdir -p typed/given && cp data typed/given && value see '.commands[1].text' >typed/command && cp see/program.atom typed
check typed-run "(cd typed && HOME=- && export HOME && sh command >found; [ \$? = 3 ]) &&
    diff <(sed '4s| [^ ]* 1\$| - 1|' expected) typed/found" typed/command
check whole "! run see 2>log && grep -q 'a file of this name already' log && [ -z \"\$(ls -d see.* 2>/dev/null)\" ]" log

# ---- the same bytes -------------------------------------------------------------------------------------------------------

# Counts do not depend on the folder, the user, and other work of the machine.
digests() { # NAME: outside of a sandbox, process numbers differ
    if [ "$(value see .isolation)" = sandbox ]; then
        (cd "$1" && sha256sum out/*/* files/* 2>/dev/null)
    else
        (cd "$1" && for file in out/*/*; do sed 1d "$file" | sha256sum; done && sha256sum files/*)
    fi
}
as_nobody() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi
}
mkdir shared && chmod 777 shared && chmod 755 "$scratch"
others=$(as_nobody test -x "$ATOMC" && echo nobody || true)
[ -n "$others" ] || skipped same/nobody "other users cannot read $(dirname "$ATOMC")"
digests see >expected
for number in $(seq "$(pick 2 10)"); do
    name=shared/$(printf %0${number}d 0)
    run see >log 2>&1 || true
    timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run --job=jobs/see.json --into="$name/root" >log 2>&1
    chmod 777 "$name"
    [ "$SIZE" != all ] || { for _ in 1 2 3; do (timeout 5 sh -c 'while :; do :; done') & done; }
    digests "$name/root" | diff expected - >>differences || true
    value "$name/root" .key >>keys
    [ -n "$others" ] || continue
    ATOMC_CACHE='' as_nobody timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run --job=jobs/see.json \
        --into="$name/nobody" >log 2>&1 || true
    digests "$name/nobody" | diff expected - >>differences || true
    value "$name/nobody" .key >>keys
done
wait
check same/bytes "[ ! -s differences ] && [ \$(wc -l <keys) -ge $(pick 2 10) ] && [ \$(wc -l <expected) = 2 ]" differences
check same/key "[ \$(sort -u keys | wc -l) = 1 ] &&
    [ \$(head -1 keys) = \$('$ATOMC' run --job=jobs/see.json --key | jq -r .key) ]" keys
mkdir elsewhere && cp work.atd elsewhere/ && cp program elsewhere/other
sed -e "s|$PWD/work.atd|$PWD/elsewhere/work.atd|; s|$PWD/program\"|$PWD/elsewhere/other\",\"name\":\"program\"|" \
    jobs/see.json >jobs/moved.json
check same/moved "[ \$(head -1 keys) = \$('$ATOMC' run --job=jobs/moved.json --key | jq -r .key) ]"
echo >>elsewhere/work.atd
check same/tool "[ \$(head -1 keys) != \$('$ATOMC' run --job=jobs/moved.json --key | jq -r .key) ]"

# Libraries belong to the key by their contents, wherever they are: libraries that the program needs, in its own folder
# by RUNPATH or in the root, libraries that these need, the dynamic linker, and preloaded libraries.
mkdir here there root root/lib root/etc
for value in 1 2; do
    echo "int deep(void) { return $value; }" >deep.c
    shared_library() { alpha-linux-gnu-gcc -shared -fPIC -O1 "$@"; }
    shared_library deep.c -o deep$value.so -Wl,-soname,libdeep.so
done
cp deep1.so here/libdeep.so
echo 'int deep(void); int lib(void) { return deep(); }' >lib.c
shared_library lib.c -o here/liblib.so -Wl,-soname,liblib.so -Lhere -ldeep '-Wl,-rpath,$ORIGIN,--enable-new-dtags'
echo 'int lib(void); int main(void) { return lib(); }' >needs.c
alpha-linux-gnu-gcc -O1 needs.c -o here/needs -Lhere -llib -Wl,-rpath-link,here '-Wl,-rpath,$ORIGIN,--enable-new-dtags'
cp here/* there/
cp -L /usr/alpha-linux-gnu/lib/{ld-linux.so.2,libc.so.6.1} root/lib/
key_of() { # PROGRAM [JSON]
    echo "{\"program\":{\"path\":\"$1\"},\"tools\":[{\"path\":\"work.atd\"}]${2:+,$2}}" >needs.json
    "$ATOMC" run --job=needs.json --key | jq -r .key
}
first=$(key_of here/needs)
check libraries/elsewhere "[ ${#first} = 64 ] && [ \$(key_of there/needs) = $first ]"
check libraries/root "[ \$(key_of here/needs '\"root\":\"root\"') = $first ]"
check libraries/listed "[ \"\$('$ATOMC' run --job=needs.json --key | jq -r '.canonical.libraries[] | .name, .sha256' |
    sed 's/[0-9a-f]\\{64\\}/DIGEST/' |
    tr '\\n' ' ')\" = '/lib/ld-linux.so.2 DIGEST liblib.so DIGEST libc.so.6.1 DIGEST libdeep.so DIGEST ' ]"
cp deep2.so there/libdeep.so
check libraries/deep "[ \$(key_of there/needs) != $first ]"
echo >>root/lib/libc.so.6.1
check libraries/changed "[ \$(key_of here/needs '\"root\":\"root\"') != $first ] && [ \$(key_of here/needs) = $first ]"
cp -L /usr/alpha-linux-gnu/lib/libc.so.6.1 root/lib/ && echo >>root/lib/ld-linux.so.2
check libraries/linker "[ \$(key_of here/needs '\"root\":\"root\"') != $first ]"
cp -L /usr/alpha-linux-gnu/lib/ld-linux.so.2 root/lib/ && cp deep2.so root/lib/libpreload.so
check libraries/as-before "[ \$(key_of here/needs '\"root\":\"root\"') = $first ]"
echo '/lib/libpreload.so # all of them' >root/etc/ld.so.preload
preloaded=$(key_of here/needs '"root":"root"')
cp deep1.so root/lib/libpreload.so
check libraries/preloaded "[ $preloaded != $first ] && [ \$(key_of here/needs '\"root\":\"root\"') != $preloaded ]"
rm there/liblib.so
check libraries/missing "[ \$(key_of there/needs) != $first ] &&
    '$ATOMC' run --job=needs.json --key | jq -e '.canonical.libraries | map(select(.sha256 == null)) | length == 1'"
check libraries/plug-in "[ \$(key_of here/needs '\"objects\":\"main,deep1.so\"') = \$(key_of here/needs '\"objects\":\"main,deep1.so\"') ] &&
    [ \$(key_of here/needs \"\\\"objects\\\":\\\"main,$PWD/deep1.so\\\"\") != \$(key_of here/needs \"\\\"objects\\\":\\\"main,$PWD/deep2.so\\\"\") ]"

# It prints its folder, which differs each time outside of a sandbox.
run see --repeat=3 --into=again
[ "$(value see .isolation)" = plain ] || check repeat/same \
    "[ \"\$(value again '.repeatable, (.differs | length)' | tr '\n' ' ')\" = 'true 0 ' ]"
job time time
run time --repeat=3
check repeat/differs "[ \"\$(value time '.repeatable, .differs[]' | tr '\n' ' ')\" = 'false out/2/work.1.rows ' ] ||
    [ \$(value time .isolation) = plain ]" time/run.json
# Possible causes of differences are named by the program's system calls, and the first result that differed is shown.
cat >causes.c <<'END2'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void *thread(void *context) { return context; }
int main(int count, char **words) {
    unsigned long value = 0;
    struct timespec time;
    pthread_t threads[2];
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "time")) { clock_gettime(CLOCK_MONOTONIC, &time); value += time.tv_nsec; }
        if (!strcmp(words[i], "random")) { unsigned long number; getrandom(&number, sizeof number, 0); value += number; }
        if (!strcmp(words[i], "device")) { unsigned long number;
            read(open("/dev/urandom", O_RDONLY), &number, sizeof number); value += number; }
        if (!strcmp(words[i], "cycles")) { unsigned long number;
            for (int k = 0; k < 3; k++) { __asm__ volatile("rpcc %0" : "=r"(number)); value += number; } }
        if (!strcmp(words[i], "thread")) for (int k = 0; k < 2; k++) {
            pthread_create(&threads[k], 0, thread, 0); pthread_join(threads[k], 0); }
        if (!strcmp(words[i], "fork") && fork() == 0) _exit(0);
    }
    while (wait(0) > 0) {}
    if (write(1, &value, sizeof value) < 0) return 1; /* as it is: how it is printed depends on it */
    return 0;
}
END2
alpha causes causes.c
caused() { # NAME EXPECTED FIRST WORD...: causes with their evidence, and the beginning of the call that differed first
    local name=$1 expected=$2 first=$3
    shift 3
    jq -n -c --arg path "$PWD/causes" --arg tool "$PWD/work.atd" \
        '{program: {path: $path}, tools: [{name: "empty"}], arguments: $ARGS.positional}' --args "$@" >jobs/causes.$name.json
    run causes.$name --repeat=2 2>log || true
    check "causes/$name" "jq -e '.repeatable == false and .causes.program_differs == [\"stdout.zst\"] and
        ((.causes.first_difference.a // \"\") | startswith(\"$first\")) and
            ((.causes.first_difference == null) == (\"$first\" == \"\")) and
        ([.causes.can_be[] | .cause + \" \" + (.by | to_entries | map(.key + \" \" + (.value | tostring)) | join(\" \"))] |
            join(\", \")) == \"$expected\"' causes.$name/run.json &&
        grep -q 'another run of the instrumented program has other results: stdout.zst; two runs of the uninstrumented program differ: stdout.zst; it can be caused by' log" causes.$name/run.json
}
caused time 'time clock_gettime 1' 'clock_gettime(CLOCK_MONOTONIC' time
caused random 'random numbers getrandom 2' '' random random
caused device 'random numbers /dev/urandom 1' '' device
caused cycles 'time rpcc 3' '' cycles
caused several 'time clock_gettime 1, threads clone 2, other processes clone 1' 'clock_gettime(' time thread fork
caused threads 'time clock_gettime 1, threads clone 2, other processes clone 1' '' thread fork time
check causes/none "[ \$(value again .causes) = null ] || [ \$(value see .isolation) = plain ]"

# check_output: the program behaves as uninstrumented; if not, all files needed to examine the difference are kept.
job checked see \
    '"check_output":true,"input":{"path":"input"},"files":[{"as":"given/data","path":"data"}],"environment":{"NAME":"a b"}'
job unchecked see '"input":{"path":"input"},"files":[{"as":"given/data","path":"data"}],"environment":{"NAME":"a b"}'
job looks look '"check_output":true'
echo line >input && echo datum >data
run checked >out 2>&1 && status=0 || status=$?
# (It prints its folder.)
same='.plain.same and .plain.differs == []' there='! -e checked/plain'
[ "$(value checked .isolation)" != plain ] || same='.plain.differs[0] != null' there='-e checked/plain'
check check/same "[ $status = 0 ] && jq -e '$same and .plain.exit_status == 3 and (.plain.seconds >= 0) and
    [.commands[].phase] == [\"instrument\", \"run\", \"check\"]' checked/run.json && [ $there ]" out
check check/key "[ \$(value checked .key) = \$($ATOMC run --job=jobs/unchecked.json --key | jq -r .key) ] &&
    jq -e '.plain == null' <(run unchecked && cat unchecked/run.json)"
cp jobs/checked.json jobs/checked-again.json
run checked-again --events=5 5>events.checked >out 2>&1
check check/silent "[ \$(jq -c 'select(.event == \"output\") | .text' events.checked | grep -c \"a b\") = 1 ]" events.checked
run looks >out 2>&1 && status=0 || status=$?
check check/differs \
    "[ $status = 0 ] && [ \"\$(value looks '.plain.differs | join(\" \")')\" = 'exit status stdout.zst files/made' ] &&
        [ \$(value looks .state) = finished ]" looks/run.json
check check/causes "jq -e '.causes.program_differs == [] and .causes.can_be == []' looks/run.json &&
    value looks '.notes[]' |
    grep -q 'from the instrumented one: exit status, stdout.zst, files/made; two runs of the uninstrumented program do the same; the program asks for nothing that is known to differ'" looks/run.json
check check/evidence "cmp looks/plain/program program &&
    [ \$(sha256sum <looks/plain/program.atom | cut -d' ' -f1) = \$(value looks .instrumented) ] &&
    [ \$(zstdcat looks/plain/stdout.zst) = \$(stat -c %s program) ] &&
    [ \$(cat looks/plain/files/made) != \$(cat looks/files/made) ] && [ ! -e looks/plain/out ]" looks/run.json

job plain children '"isolation":"plain"'
run plain --repeat=2
check plain "[ \"\$(value plain '.repeatable, .isolation, (.tables | length)' | tr '\n' ' ')\" = 'true plain 2 ' ] &&
    [ -z \"\$(ls -d /var/tmp/atomc-* 2>/dev/null)\" ]" plain/run.json

# ---- limits and ends ------------------------------------------------------------------------------------------------------

stops() { # NAME REASON ARGUMENT LIMITS [ISOLATION]
    job "$1" "$3" "\"limits\":{$4},\"isolation\":\"${5:-any}\""
    run "$1" >log 2>&1 || true
    check "stops/$1" "[ \$(value $1 .state)/\$(value $1 .reason) = stopped/$2 ] && [ \$(entered $1) -ge 1 ] &&
        [ \$(left) = 0 ]" "$1/run.json"
}
stops long time loop '"seconds":1'
stops long-plain time loop '"seconds":1' plain
stops memory memory memory '"memory_mb":100'
stops output output output '"output_mb":1,"file_mb":20'
check stops/kept "[ \$(zstdcat output/stdout.zst | wc -c) = 1048576 ] && [ \$(value output .stdout.bytes) -gt 20971520 ]"
stops disk disk disk '"file_mb":30'
stops processes processes forks '"processes":20'
stops processes-plain processes forks '"processes":20' plain
job deaf deaf '"limits":{"seconds":1}'
run deaf
check stops/deaf "[ \$(value deaf .reason) = time ] && [ \$(value deaf .seconds | cut -d. -f1) -ge 6 ] &&
    [ \$(left) = 0 ]" deaf/run.json
job raise raise
run raise
check signal "[ \$(value raise .state) = finished ] && [ \$(value raise .signal) = 6 ] &&
    [ \$(entered raise) = 1 ]" raise/run.json
job children children
run children
check children "[ \$(value children '.tables | length') = 2 ] && [ \$(entered children) = 2 ]" children/run.json
job leaves leaves
run leaves
check leaves "[ \$(entered leaves) = 2 ]" leaves/run.json

descendants() { # PROCESS
    for child in $(cat /proc/$1/task/$1/children); do
        echo $child
        (descendants $child)
    done
}

job loop loop
started() { # NAME: waits until the program runs
    while :; do grep -qs '"phase":"run"' "$1".*.tmp/log.jsonl "$1/log.jsonl" events && return; sleep 0.1; done
}
for isolation in any plain; do
    job loop loop "\"isolation\":\"$isolation\""
    : >events
    "$ATOMC" run --job=jobs/loop.json --into=cancelled-$isolation --events=5 5>events &
    process=$!
    started cancelled-$isolation
    computed $process 30
    kill -TERM $process
    status=0
    wait $process || status=$?
    check cancelled/$isolation "[ $status = 0 ] && [ \$(value cancelled-$isolation .reason) = cancelled ] &&
        [ \$(entered cancelled-$isolation) -ge 1 ] && [ \$(left) = 0 ]"
    # Slurm signals each process of a job, in any order: the program ends before the job receives the signal.
    : >events
    "$ATOMC" run --job=jobs/loop.json --into=together-$isolation --events=5 5>events &
    process=$!
    started together-$isolation
    computed $process 30
    for task in $(descendants $process); do
        case $(readlink /proc/$task/exe) in *qemu-alpha*) kill -TERM $task ;; esac
    done
    sleep 0.1
    kill -TERM $process || true
    wait $process || true
    check together/$isolation "[ \$(value together-$isolation .reason) = cancelled ] &&
        [ \$(entered together-$isolation) -ge 1 ]" together-$isolation/run.json
    # Killed: the process that was started, and the process that does the work.
    for victim in guard worker; do
        : >events
        "$ATOMC" run --job=jobs/loop.json --into=killed --events=5 5>events &
        process=$!
        started killed
        computed $process 30
        [ $victim = guard ] && kill -KILL $process || kill -KILL "$(cat /proc/$process/task/$process/children)"
        wait $process 2>/dev/null || true
        while :; do [ "$(left)" = 0 ] && ! ls -d killed* >/dev/null 2>&1 && break; sleep 0.1; done
        check killed/$isolation-$victim "[ \$(left) = 0 ] && ! ls -d killed* && ! ls -d /var/tmp/atomc-*"
    done
done

# ---- errors ---------------------------------------------------------------------------------------------------------------

refused_job() {
    timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run --job=wrong.json --into=wrong
}
. "$tests/lib/stanzas.sh"
stanzas "$tests/stanzas/job.txt"

# The job can be read, and the tool or the program is wrong: that is on record.
sed "s|$PWD/program|$PWD/data|" jobs/see.json >jobs/failed.json
check failed "! run failed 2>log && [ \"\$(value failed '.state, .reason' | tr '\n' ' ')\" = 'failed instrument ' ] &&
    value failed '.diagnostics[0].id' | grep -q PROGRAM_NOT_ELF" log
check usage "! '$ATOMC' run --job=jobs/see.json 2>log && grep -q 'no folder given' log &&
    '$ATOMC' run --job --help | grep -q -e --events"

# For machines without sandbox.
mkdir bin && printf '#!/bin/sh\necho "bwrap: not permitted" >&2\nexit 1\n' >bin/bwrap && chmod +x bin/bwrap
PATH=$PWD/bin:$PATH run see --into=without
check without/any "[ \$(value without .isolation) = plain ] && value without '.notes[]' | grep -q 'not permitted' &&
    [ \$(entered without) = 1 ]"
job must see '"isolation":"sandbox"'
check without/must "! PATH=$PWD/bin:$PATH run must 2>log && grep -q 'there is no sandbox: bwrap: not permitted' log &&
    [ \$(value must .reason) = sandbox ]" log
