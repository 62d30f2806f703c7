# sparse: if few procedures have places, only these are copied; such programs end as before, with results. The case
# switches shows that the tools' counts are the same.
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
