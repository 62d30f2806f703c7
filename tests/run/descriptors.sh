# descriptors: programs that close, move and query descriptors which are not theirs: their results are the same as
# uninstrumented, their files contain nothing from atomc, and the tool's file is complete.
alpha plain "$tests/data/descriptors.c"
instrument trace -t trace -D form=text plain
instrument prof -t prof plain
instrument count -t dyninst plain # a name as long as `trace`, because programs read their own name

instructions() { # in a run under trace, each executed block has a line
    awk '$1 == "block" { n += $3 } END { print n }' trace.out
}
for way in daemon range onto probe spawn again; do
    "$QEMU" plain $way 2>expected.err
    mv found expected
    for tool in trace prof; do
        "$QEMU" $tool $way 2>err || true
        check "$tool/$way" "cmp expected found && cmp expected.err err && [ -s $tool.out ]" err
        rm -f found
    done
    "$QEMU" count $way 2>err && rm -f found
    # The blocks of the child of spawn are in the trace only.
    [ $way = spawn ] || check "whole/$way" "[ \$(instructions) = \$(awk '\$1 == \"total\" { print \$3 }' dyninst.out) ]"
    # If the program has closed standard error, the message is not printed, nor written to the file that got its number.
    ATOMC_OUT=/proc/nowhere "$QEMU" prof $way 2>err || true
    case $way in
    daemon | range) check "unwritten/$way" "cmp expected found && [ ! -s err ]" err ;;
    again) check "unwritten/$way" "grep -q 'cannot write' found" found ;;
    *) check "unwritten/$way" "cmp expected found && grep -q 'cannot write' err" err ;;
    esac
    rm -f found
done
