# library_stacks: instrumented libraries on other stacks than the first: their springboards spill registers where memory
# is mapped.
libraries=/usr/alpha-linux-gnu
shared plain "$tests/data/library_stacks.c"
# third needs all libraries; in make check the other tools examine the C library, together. With `signals` the program
# does the rest, too.
for tool in $(pick "cache+audit+values third" "$("$ATOMC" --list | cut -d' ' -f1)"); do
    for flags in "" $(pick "" "--without=all --call=wrapper"); do
        case $tool in *+*) objects=libc ;; *) objects=all ;; esac
        instrument instrumented -t ${tool//+/ -t } $flags --objects=$objects plain || continue
        for words in $(pick "" none) signals; do # with an unknown word, the program behaves as without a word
            ending expected -L $libraries plain $words
            ending found -L $libraries instrumented $words
            same "$tool$flags/$words" expected found
        done
    done
done

# Stacks that the program changes by itself, in any way: spills are in mapped memory on these, too.
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
    for flags in --call=wrapper --call=inline; do
        instrument instrumented $flags "$tests/data/changing_stacks.atd" changing || continue
        { head -n -1 expected && echo "66 found 22.000" && tail -n 1 expected; } >expected.found
        ending found instrumented
        same "changing/found$flags/$change" expected.found found
    done
done
