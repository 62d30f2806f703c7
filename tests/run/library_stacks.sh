# library_stacks: libraries that are instrumented, on other stacks than the first: the ways into their copies spill registers where there is memory.
libraries=/usr/alpha-linux-gnu
shared plain "$tests/data/library_stacks.c"
for tool in cache audit third values $(pick "" "empty prof dtb unalign"); do
    for flags in "" $(pick "" "--without=all --call=wrapper"); do
        instrument instrumented -t $tool $flags --objects=all plain || continue
        for words in "" signals; do
            ending expected -L $libraries plain $words
            ending found -L $libraries instrumented $words
            same "$tool$flags/$words" expected found
        done
    done
done
