# executes: a program that replaces itself by another leaves its results at that time; a program whose execve fails
# continues, and continues to count.
alpha plain "$tests/data/executes.c" -pthread
cat >work.atd <<'END'
# work: the number of entries of work(), in a report by process too.
tool work "entries of work"
counter entered
for p in procs where p.name == "work" {
    before p    entered++
}
report "work.out" "entered" entered
report "-" "entered, on standard output" entered
END
cat >work_c.atd <<'END'
# work_c: the same, in C.
tool work_c "entries of work"
analysis "work_c.c"
for p in procs where p.name == "work" {
    before p            call Entered()
}
after program           call Print("work.out")
END
cat >work_c.c <<'END'
#include <stdio.h>
static long entered;
void Entered(void) { entered++; }
void Print(const char *path) {
    FILE *file = fopen(path, "w");
    fprintf(file, "entered %ld\n", entered);
    fclose(file);
    printf("entered, on standard output %ld\n", entered);
    fflush(stdout);
}
END
echo "no program" >no_format
echo "#!/nowhere" >broken
chmod +x no_format broken
entered() { tail -n 1 "$1" | grep -o '[0-9]*$'; }
for tool in work work_c; do
    instrument $tool $tool.atd plain
    for run in exec:1000 threads:1500 fails:2000 fork:1000 broken:2000; do
        way=${run%:*} expected=${run#*:}
        printed=$([ "$way" = broken ] && echo 2 || echo 1) # a file that looks like a program is rejected too late
        rm -f work.out*
        "$QEMU" plain "$way" >plain.log 2>&1 || true
        "$QEMU" $tool "$way" >log 2>&1 || true
        # Without the tool's own writes.
        grep -v -x -e '.*entered.*' -e '[0-9]\{4\}' log >program.log || true
        [ "$tool$way" != workfork ] || check "$tool/$way/child" "[ \$(entered work.out.1) = 200 ]" log # from the fork on
        check "$tool/$way" \
            "[ \$(entered work.out) = $expected ] && diff plain.log program.log &&
                [ \$(grep -c 'standard output' log) = $printed ]" log
    done
done
# Threads that work up to the moment at which another program takes their place:
# each has worked at most once more than it has noted.
noted() { od -An -t d8 -v worked | awk '{ for (i = 1; i <= NF; i++) sum += $i } END { printf "%.0f", sum + 1000 }'; }
for tool in work work_c; do
    for way in busy busyfails; do
        for try in $(seq "$(pick 1 200)"); do
            rm -f work.out worked
            timeout -s KILL 1500 "$QEMU" $tool $way >log 2>&1 || true
            more=$(($(entered work.out) - $(noted)))
            [ "$more" -ge 0 ] && [ "$more" -le 4 ] || break
        done
        check "$tool/$way" "[ $more -ge 0 ] && [ $more -le 4 ] && [ $try = $(pick 1 200) ] && grep -x executed log" log
    done
done
# A handler that runs before the call, after results have been written, is in the results.
libraries=/usr/alpha-linux-gnu
shared dynamic "$tests/data/executes.c" -pthread
for program in plain dynamic; do
    instrument interrupted work.atd $program
    for try in $(seq "$(pick 3 200)"); do
        rm -f work.out worked
        timeout -s KILL 1500 "$QEMU" -L "$libraries" interrupted interrupted >log 2>&1 || true
        [ "$(entered work.out)" = "$(noted)" ] || break
    done
    check "interrupted/$program" "[ \$(entered work.out) = \$(noted) ] && [ $try = $(pick 3 200) ] && grep -x executed log" log
done
# third takes longer in the gate of the call. The handler of a signal that arrived there ran after the results, which
# were then written again: without end.
"$ATOMC" -t third plain -o interrupted
for try in $(seq "$(pick 2 200)"); do
    timeout -s KILL 1500 "$QEMU" interrupted interrupted >log 2>&1 || true
    grep -qx executed log || break
done
check interrupted/third "grep -x executed log && [ $try = $(pick 2 200) ]"
# Signals of timers while results are written, which takes three times the timer's period: an alarm reaches the new
# program, whose mask and handlers are new; a timer of timer_create ends with the program. If the call fails, both reach
# the program.
cat >slow.atd <<'END'
# slow: results that take their time.
tool slow "entries of work"
analysis "slow.c"
for p in procs where p.name == "work" {
    before p            call Entered()
}
after program           call Print()
END
cat >slow.c <<'END'
#include <stdio.h>
#include <unistd.h>
static long entered;
void Entered(void) { entered++; }
void Print(void) {
    usleep(300000);
    FILE *file = fopen("work.out", "w");
    fprintf(file, "entered %ld\n", entered);
    fclose(file);
}
END
# The end of the program, without the numbers of signals and processes in the shell's message.
ends() {
    local status=0
    timeout -s KILL 1500 "$QEMU" "$@" 2>errors || status=$?
    echo "status $status"
}
for program in $(pick plain "plain dynamic"); do
    instrument slow slow.atd $program
    instrument counted work.atd $program
    for way in alarm alarmfails timer timerfails; do
        ends -L "$libraries" $program $way >plain.log
        ends -L "$libraries" slow $way >log
        check "$program/$way" "diff plain.log log && [ \$(entered work.out) = 1000 ]" log
    done
    # A fast one.
    for try in $(seq "$(pick 2 200)"); do
        rm -f work.out worked
        ends -L "$libraries" counted ticks >log
        [ "$(entered work.out)" = "$(noted)" ] && grep -qx 'status 142' log || break
    done
    check "$program/ticks" "[ \$(entered work.out) = \$(noted) ] && [ $try = $(pick 2 200) ] && grep -x 'status 142' log" log
done
# Reports continue after calls that have failed as if there had been none: rows that are written while the program runs,
# in each format, and files that a tool writes. Complete tables are written to standard output, which may be a pipe.
cat >rows.atd <<'END'
# rows: the number of entries of work(), over time.
tool rows "entries of work"
counter entered
for p in procs where p.name == "work" {
    before p    entered++
}
every 200 of entered report "rows.out" "entered" entered
END
instrument rows rows.atd plain
for format in text csv json; do
    rm -f rows.out*
    ATOMC_FORMAT=$format "$QEMU" rows workoften >log 2>&1
    mv rows.out expected
    ATOMC_FORMAT=$format "$QEMU" rows brokenoften >log 2>&1
    same "rows/$format" expected rows.out
    ATOMC_FORMAT=$format "$QEMU" rows forkbroken >log 2>&1
    same "rows/$format/parent" expected rows.out
    { ATOMC_FORMAT=$format ATOMC_OUT=- "$QEMU" rows brokenoften | grep -v errno >shown; } 2>log
    case $format in
    json) check "rows/json/shown" \
        "[ \$(grep -c '^{\"tool\"' shown) = \$(grep -c '\]}\$' shown) ] && [ \$(grep -c '^{\"tool\"' shown) -ge 13 ] &&
            ! grep -A 1 '\]}\$' shown | grep -v -e '\]}\$' -e '^{\"tool\"' -e ^--" shown log ;;
    *) check "rows/$format/shown" "[ \$(grep -c entered shown) = 4 ]" shown log ;;
    esac
done
tail -n 1 rows.out.1 | grep -q '"entered 2": 500}\]}$' || cp rows.out.1 wrong
check rows/child "[ ! -e wrong ] && [ \$(grep -c '\]}' rows.out.1) = 1 ]" rows.out.1
instrument rows rows.atd dynamic
for try in $(seq "$(pick 2 40)"); do
    rm -f rows.out
    ATOMC_FORMAT=json timeout -s KILL 1500 "$QEMU" -L "$libraries" rows busyoften >log 2>&1 || true
    check "rows/threads/$try" \
        "[ \$(grep -c '\]}\$' rows.out) = 1 ] && tail -n 1 rows.out | grep '\]}\$' &&
            sort -t: -k2n -s rows.out | diff rows.out -" rows.out log
done
# All instructions of each block, one time.
instructions() { # FILE: of the trace as text
    awk '$1 == "block" { sum += $3 } END { print sum + 0 }' "$1"
}
for way in brokenoften forkbroken; do
    rm -f trace.out*
    instrument traced -t trace -D form=text plain
    "$QEMU" traced $way >log 2>&1
    for file in trace.out*; do echo "$file $(instructions "$file")"; done >expected
    rm -f trace.out*
    instrument traced -t trace -D form=din plain
    "$QEMU" traced $way >log 2>&1
    for file in trace.out*; do echo "$file $(grep -c '^2 ' "$file")"; done >found
    same "trace/$way" expected found
done
# The rows that `atomc run` shows in a file are complete, too.
export ATOMC_CACHE=$PWD/cache
shown() { # WAY
    ATOMC_FORMAT=json timeout -s KILL "$RUN_TIMEOUT" "$ATOMC" run -o result rows.atd -- ./plain "$1" >log 2>&1
}
shown workoften
mv result expected
shown brokenoften
same rows/run expected result
