# crash: a crash in an analysis routine is reported as the routine's, with its line, and ends the program by a signal.
alpha program -x c - <<<'int main(void) { return 0; }'
while IFS='|' read -r test options said; do
    instrument crashing $options "$tests/data/crash.atd" program
    ending found crashing
    check "$test" "grep -qx 'exit status 139' found &&
        grep -qx 'atomc: the analysis code crashed with signal 11$said' found" found
done <<END
wrapper|--call=wrapper| in Direct ([^ ]*crash.c:8), pc 0x.*
library|--call=wrapper -D library=true| in strlen, called by Library ([^ ]*crash.c:12), pc 0x.*
put-in|| in Direct ([^ ]*crash.c:8), pc 0x.*
END

# A routine that does not return delays a signal for some seconds only, and longer when results are written: then also a
# signal for which the program has a handler, which is not entered.
alpha handled -x c - <<'END'
#include <signal.h>
#include <unistd.h>
static void handle(int signal) { write(1, "handled\n", 8); (void)signal; }
int main(void) { return signal(SIGTERM, handle) == SIG_ERR; }
END
instrument stuck -D stuck=true "$tests/data/crash.atd" program
instrument end -D at_end=true "$tests/data/crash.atd" program
instrument handled_end -D at_end=true "$tests/data/crash.atd" handled
process=()
for name in stuck end handled_end; do
    "$QEMU" -strace -D calls.$name $name >printed.$name 2>said.$name &
    process[${#process[@]}]=$!
done
for name in stuck end handled_end; do
    while :; do
        [ ! -s printed.$name ] || break
        sleep 0.05
    done
done
kill -TERM "${process[@]}"
number=0
for name in stuck end handled_end; do
    status=0 seconds=30
    wait "${process[number++]}" || status=$?
    [ $name != stuck ] || seconds=5
    check $name "[ $status = 143 ] && [ \$(cat printed.$name) = here ] &&
        grep -x 'atomc: signal 15 has waited $seconds seconds for the analysis code, and ends the program: in .*called by Stuck ([^ ]*crash.c:.*' said.$name" said.$name
done

# While it waits, for a minute at most, it is sent again at growing intervals, up to 32 ms.
again=$(grep -c '^--- SIGTERM' calls.end)
check seldom "[ $again -gt 2 ] && [ $again -lt 2000 ]" calls.end
