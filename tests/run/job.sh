# job: atomc run --job: what a run leaves, the same bytes wherever it is made, limits and ends that leave nothing behind, and
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
    if (is(what, "time")) work((long)(time(NULL) % 1000) + getpid() + (long)clock() % 1000);
    if (is(what, "loop")) for (;;) work(1000);
    if (is(what, "deaf")) for (signal(SIGTERM, SIG_IGN);;) work(1000);
    if (is(what, "memory")) for (;;) memset(malloc(1 << 20), 1, 1 << 20), usleep(1000);
    if (is(what, "output")) for (;;) puts("0123456789012345678901234567890123456789012345678901234567890123456789");
    if (is(what, "disk")) { FILE *file = fopen("large", "w"); for (;;) fputs("0123456789012345678901234567890123456789", file); }
    if (is(what, "forks")) for (;;) if (fork() == 0) { sleep(100); return 0; } else usleep(10000);
    if (is(what, "children")) { if (fork() == 0) { work(10); return 0; } wait(NULL); }
    if (is(what, "leaves")) { if (fork() == 0) { usleep(300000); work(10); return 0; } }
    if (is(what, "raise")) raise(SIGABRT);
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
job() { # NAME ARGUMENT [JSON]: makes jobs/NAME.json, with more members
    echo "{\"program\":{\"path\":\"$PWD/program\"},\"tools\":[{\"path\":\"$PWD/work.atd\"}],\"arguments\":[\"$2\"]${3:+,$3}}" >jobs/$1.json
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
left() { # is any process left that has to do with this folder?
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c -F "$scratch/work.atd" || true
}

# ---- what there is --------------------------------------------------------------------------------------------------------

echo input >input
echo data >data
job see "see" "\"input\":{\"path\":\"input\"},\"files\":[{\"as\":\"given/data\",\"path\":\"data\"}],\"environment\":{\"NAME\":\"a b\"}"
run see --events=5 5>events
printf '0 program\n1 see\na b %s 1\ninput\ndata\n' "$(value see .isolation | sed 's|sandbox|/run/atomc|; s|plain|/.*|')" >expected
zstdcat see/stdout.zst >found
check output "sed 's|/var/tmp/atomc-........|/.*|' found | diff expected -"
check record "[ \"\$(value see '[.state, .exit_status, .signal, .arguments[0], .tools[0].name, .tables[0].rows, .tables[0].tool] | map(tostring) | join(\" \")')\" = 'finished 3 null see work 1 work' ]" see/run.json
check rows "[ \$(entered see) = 1 ]"
check files "[ \$(cat see/files/made) = text ] && [ ! -e see/files/link ] && [ ! -e see/files/given ] && value see '.notes[0]' | grep -q links"
check artifacts "[ \"\$(value see '.artifacts[].file')\" = files/made ]"
check events "[ \"\$(jq -r '.event + \" \" + (.phase // \"\")' events | grep -v progress | sort -u | tr '\n' ',')\" = 'artifact ,ended ,output ,phase collect,phase instrument,phase run,table ,' ]" events
check log "diff <(grep -v -e progress -e output events) <(grep -v progress see/log.jsonl)"
check typed "(cd see && eval \"\$(value . '.commands[0].text' | sed 's|^atomc|$ATOMC|')\") && [ -x see/program.atom ]"
check whole "! run see 2>log && grep -q 'a file of this name already' log && [ -z \"\$(ls -d see.* 2>/dev/null)\" ]" log
