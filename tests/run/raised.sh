# raised: a signal arrives in each of many routines. It is delivered when the routine has returned, at the program's
# next instruction, up to which inserted code is executed step by step. Stores of that code must not change memory that
# the runtime uses at the same time.
alpha alone "$tests/data/raised.c"
alpha threads "$tests/data/raised.c" -DTHREADS -pthread
shared dynamic "$tests/data/raised.c" -DTHREADS -pthread
libraries=/usr/alpha-linux-gnu

arrive() { # PROGRAM INSTRUMENTED [thread]
    rm -f came raised
    ending expected -L "$libraries" "$1" ${3:-}
    ending found -L "$libraries" "$2" ${3:-}
    check "$2${3:+/thread}" "diff expected found && cmp came raised && [ \$(cat came) -gt 500 ]"
}
for how in call=wrapper without=liveness $(pick "" "stack=own stack=program copy=sparse without=all"); do
    instrument alone-$how --$how "$tests/data/raises.atd" alone && arrive alone alone-$how
    instrument threads-$how --$how "$tests/data/raises.atd" threads || continue
    arrive threads threads-$how
    arrive threads threads-$how thread
done
# The routine changes the mask while a signal is deferred: the program's mask is as before.
{ echo '#define BLOCKS' && cat "$tests/data/raises.c"; } >raises.c
cp "$tests/data/raises.atd" .
for how in call=inline without=liveness; do
    instrument alone-blocks-$how --$how raises.atd alone && arrive alone alone-blocks-$how
    instrument threads-blocks-$how --$how raises.atd threads && arrive threads threads-blocks-$how thread
done
instrument all --objects=$(pick main all) "$tests/data/raises.atd" dynamic && arrive dynamic all && arrive dynamic all thread
