# executes: a program that becomes another one leaves its results as they are then; one whose execve fails goes on, and counts on.
alpha plain "$tests/data/executes.c" -pthread
cat >work.atd <<'END'
# work: how often work() is entered, in a report by process too.
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
        printed=$([ "$way" = broken ] && echo 2 || echo 1) # what looks like a program is known to be none too late
        rm -f work.out*
        "$QEMU" plain "$way" >plain.log 2>&1 || true
        "$QEMU" $tool "$way" >log 2>&1 || true
        # Without what the tool itself writes there.
        grep -v -x -e '.*entered.*' -e '[0-9]\{4\}' log >program.log || true
        [ "$tool$way" != workfork ] || check "$tool/$way/child" "[ \$(entered work.out.1) = 200 ]" log # from the fork on
        check "$tool/$way" "[ \$(entered work.out) = $expected ] && diff plain.log program.log && [ \$(grep -c 'standard output' log) = $printed ]" log
    done
done
# Threads that work up to the moment at which another program takes their place: each has worked at most once more than it has noted.
noted() { od -An -t d8 -v worked | awk '{ for (i = 1; i <= NF; i++) sum += $i } END { printf "%.0f", sum + 1000 }'; }
for tool in work work_c; do
    for way in busy busyfails; do
        for try in $(seq "$(pick 3 200)"); do
            rm -f work.out worked
            timeout -s KILL 60 "$QEMU" $tool $way >log 2>&1 || true
            more=$(($(entered work.out) - $(noted)))
            [ "$more" -ge 0 ] && [ "$more" -le 4 ] || break
        done
        check "$tool/$way" "[ $more -ge 0 ] && [ $more -le 4 ] && [ $try = $(pick 3 200) ] && grep -x executed log" log
    done
done
# A handler that comes before the call, when results have been written, is in them.
libraries=/usr/alpha-linux-gnu
shared dynamic "$tests/data/executes.c" -pthread
for program in plain dynamic; do
    instrument interrupted work.atd $program
    for try in $(seq "$(pick 10 200)"); do
        rm -f work.out worked
        timeout -s KILL 60 "$QEMU" -L "$libraries" interrupted interrupted >log 2>&1 || true
        [ "$(entered work.out)" = "$(noted)" ] || break
    done
    check "interrupted/$program" "[ \$(entered work.out) = \$(noted) ] && [ $try = $(pick 10 200) ] && grep -x executed log" log
done
