# crash: a crash in an analysis routine is reported as the routine's, with its line, and ends the program by a signal.
alpha program -x c - <<<'int main(void) { return 0; }'
while IFS='|' read -r test options said; do
    instrument crashing $options "$tests/data/crash.atd" program
    ending found crashing
    check "$test" "grep -qx 'exit status 139' found && grep -qx 'atomc: the analysis code crashed with signal 11$said' found" found
done <<END
wrapper|--call=wrapper| in Direct ([^ ]*crash.c:8), pc 0x.*
library|--call=wrapper -D library=true| in strlen, called by Library ([^ ]*crash.c:12), pc 0x.*
put-in|| in Direct ([^ ]*crash.c:8), pc 0x.*
END

# A routine that does not return keeps a signal for some seconds only.
instrument stuck -D stuck=true "$tests/data/crash.atd" program
"$QEMU" stuck >printed 2>said &
process=$!
for ((i = 0; i < 600; i++)); do
    [ ! -s printed ] || break
    sleep 0.05
done
kill -TERM $process
status=0
wait $process || status=$?
check stuck "[ $status = 143 ] && grep -x 'atomc: signal 15 has waited 5 seconds for the analysis code, and ends the program: in .*called by Stuck ([^ ]*crash.c:.*' said" said
