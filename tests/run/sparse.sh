# sparse: only the procedures with places are copied where they are few; such programs end as they did, with results.
# That the tools count the same is shown by the case switches.
alpha signals "$tests/data/signals.c"
for tool in read prof empty; do
    instrument $tool -v -t $tool signals
    check "chosen/$tool" "[ \$(grep -c '^    copied' $tool.log) = $([ $tool = read ] && echo 1 || echo 0) ]" $tool.log
done
for way in return quick abort segv illegal term pipe alarm ignored; do
    rm -f read.out
    ending expected -0 signals signals $way
    ending found -0 signals read $way
    check "ends/$way" "diff expected found && grep -q ^Calls read.out"
done
