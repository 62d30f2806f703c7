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

# Stacks that the program changes by itself, in whatever way: spills are where there is memory on those, too.
for change in 'mov $17,$30' 'addq $17,0,$30' 'lda $30,0($17)' 'stq $17,-8($30)\nldq $30,-8($30)'; do
    alpha changing "$tests/data/changing_stacks.c" -O2 "-DCHANGE=\"$change\""
    shared changing.dynamic "$tests/data/changing_stacks.c" -O2 "-DCHANGE=\"$change\""
    ending expected -L $libraries changing.dynamic
    all=" --objects=all" && [ "$SIZE" = all ] || [ "$change" = 'mov $17,$30' ] || all=
    for words in "audit changing.dynamic" $(pick "" audit_changing) "hiprof$all changing.dynamic"; do
        words=${words/_/ }
        instrument instrumented -t $words || continue
        ending found -L $libraries instrumented
        same "changing/$words/$change" expected found
    done
done
