# forks: fork in a program whose other threads are always in analysis routines: no child waits for them.
alpha plain "$tests/data/forks.c" -pthread
instrument instrumented "$tests/forks/forks.atd" plain
for run in $(seq "$(pick 1 20)"); do
    prints "$run" qemu instrumented <<<1000
done
# A fork in a handler that has interrupted a block whose sums have been made: the child counts the rest of the block,
# also in counters with keys, whose tables restart. Handlers continue, skip, return and jump; children have children.
cp "$tests"/data/faulting.[cs] .
most=$(pick 2 5)
forks=$((most + most * most))
sed 's/\$tid/($(sp) >> 4 \& 3)/g' "$tests/data/keyed_sums.atd" >keyed_sums.atd # a block's key is of the process that has begun it
for program in static dynamic; do
    if [ $program = static ]; then alpha handlers faulting.[cs] -DFORKS -DMOST=$most -pthread
    else shared handlers faulting.[cs] -DFORKS -DMOST=$most -pthread; fi
    ending expected -L /usr/alpha-linux-gnu handlers 30
    rm -f ./*.out* keyed_sums.*.*
    instrument instrumented keyed_sums.atd -t prof handlers
    ending found -L /usr/alpha-linux-gnu instrumented 30
    check "handlers/$program" "grep -v ^atomc: found | diff expected - &&
        [ \$(ls keyed_sums.differ* | wc -l) = $((forks + 1)) ]" found
    check "handlers/$program/keys" "! grep ^0x keyed_sums.differ* &&
        [ \$(tail -q -n 1 keyed_sums.differ* | awk '\$1 > 100' | wc -l) = $((forks + 1)) ]"
    mkdir counted && mv prof.out* counted
    instrument instrumented -t prof --without=placement handlers
    ending found -L /usr/alpha-linux-gnu instrumented 30
    for file in prof.out*; do
        diff <(grep -w -E 'loads|stores|begins|ends|floats|joins|run|handle' counted/"$file" | cut -f 1,2) \
            <(grep -w -E 'loads|stores|begins|ends|floats|joins|run|handle' "$file" | cut -f 1,2) || echo "$file"
    done >wrong
    check "handlers/$program/prof" "[ ! -s wrong ] && [ \$(ls prof.out* | wc -l) = $((forks + 1)) ] &&
        [ \$(grep -c -w loads prof.out.1.1) = 1 ]" wrong
    rm -r counted
done
# State that a child inherits from its parent's signals: the stack of handlers and masks, but neither waiting signals
# nor timers.
for program in keeps keeps-dynamic; do
    $([ $program = keeps ] && echo alpha || echo shared) $program "$tests/data/fork_keeps.c" -pthread
    ending expected -L /usr/alpha-linux-gnu $program
    for tool in $(pick prof "empty prof cache third audit"); do
        instrument instrumented -t $tool $program || continue
        for run in $(seq "$(pick 1 20)"); do
            ending found -L /usr/alpha-linux-gnu instrumented
            same "$program/$tool/$run" expected found
        done
    done
done
