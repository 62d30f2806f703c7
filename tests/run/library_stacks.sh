# library_stacks: libraries that are instrumented, on other stacks than the first:
# the ways into their copies spill registers where there is memory.
libraries=/usr/alpha-linux-gnu
shared plain "$tests/data/library_stacks.c"
# third needs all libraries; in make check the other tools look at the C library, together. With `signals` it does the rest, too.
for tool in $(pick "cache+audit+values third" "$("$ATOMC" --list | cut -d' ' -f1)"); do
    for flags in "" $(pick "" "--without=all --call=wrapper"); do
        case $tool in *+*) objects=libc ;; *) objects=all ;; esac
        instrument instrumented -t ${tool//+/ -t } $flags --objects=$objects plain || continue
        for words in $(pick "" none) signals; do # with a word that it does not know it does what it does without
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
