# descriptors: programs that close, move and look at descriptors which are not theirs: they find what they find uninstrumented,
# their files hold nothing of atomc's, and the tool's file is whole.
alpha plain "$tests/data/descriptors.c"
instrument trace -t trace -D form=text plain
instrument prof -t prof plain
instrument count -t dyninst plain # a name as long as `trace`: programs look through theirs

instructions() { # of a run under trace, each block executed has a line
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
    # There is no standard error for the message where the program has closed it: not in the file that got its number.
    ATOMC_OUT=/proc/nowhere "$QEMU" prof $way 2>err || true
    case $way in
    daemon | range) check "unwritten/$way" "cmp expected found && [ ! -s err ]" err ;;
    again) check "unwritten/$way" "grep -q 'cannot write' found" found ;;
    *) check "unwritten/$way" "cmp expected found && grep -q 'cannot write' err" err ;;
    esac
    rm -f found
done
