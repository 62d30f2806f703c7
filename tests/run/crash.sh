# crash: a crash in an analysis routine is reported as the routine's, with its line, and ends the program by a signal.
alpha program -x c - <<<'int main(void) { return 0; }'
main=$(alpha-linux-gnu-nm program | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
# An inlined routine has no address of its own: there it is the call's.
while IFS='|' read -r test options said; do
    instrument crashing $options "$tests/data/crash.atd" program
    ending found crashing
    check "$test" "grep -qx 'exit status 139' found && grep -qx 'atomc: the analysis code crashed with signal 11$said' found" found
done <<END
wrapper|--call=wrapper| in Direct ([^ ]*crash.c:7), pc 0x.*
library|--call=wrapper -D library=true| in strlen, called by Library ([^ ]*crash.c:11), pc 0x.*
put-in||, called at 0x$main; .*
END
