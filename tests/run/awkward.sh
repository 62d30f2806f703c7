# awkward: programs behave the same with handlers on changing stacks, contexts that handlers switch, threads that end in
# handlers, protected data near the image, unusual uses of the heap, forks in handlers, interrupted waits, and stack
# pointers that move elsewhere.
. "$tests/lib/dynamic.sh"
for source in stacks waits; do
    alpha $source-static "$tests/awkward/$source.c" -pthread
    shared $source-dynamic "$tests/awkward/$source.c" -pthread
    for linked in static dynamic; do
        for tool in $(pick "$([ $linked = static ] && echo cache || echo prof)" "prof cache audit third"); do
            instrument $source-$linked.$tool -t $tool $source-$linked || continue
            for way in $([ $source = stacks ] &&
                echo altstacks coroutines vforks clones protects brks threads skips overflows queues ||
                echo cancels eintr forks stops sigwaits exits odd); do
                for time in $(seq "$(pick 1 20)"); do
                    ending expected -L "$libraries" $source-$linked $way
                    ending found -L "$libraries" $source-$linked.$tool $way
                    diff expected found >differs || break
                done
                check "$linked/$tool/$way" "[ $time = $(pick 1 20) ] && [ -s found ] && ! [ -s differs ]" differs
            done
        done
    done
done
