# signals: the program ends in the same way when instrumented, for all kinds of ends, and the results are written.
alpha plain "$tests/data/signals.c"
instrument branch "$top/docs/examples/branch.atd" plain
instrument cache -t cache plain
times=$(pick 5000 100000) # how often handlers change
for way in return quick abort segv illegal term power input trap real-time pipe alarm ignored changing; do
    ending expected -0 signals plain $way "$times"
    for tool in branch:branch.out:0x cache:cache.out:L1; do
        IFS=: read -r tool output row <<<$tool
        rm -f "$output"
        ending found -0 signals "$tool" $way "$times"
        check "$way/$tool" "diff expected found && grep -q ^$row $output"
    done
done

# Killed at any moment, most of them inside the analysis routine.
for run in $(seq "$(pick 4 200)"); do
    rm -f cache.out
    : >spinning
    "$QEMU" -0 signals cache spin >spinning 2>/dev/null &
    process=$!
    while :; do # it prints a line first
        [ ! -s spinning ] || break
        sleep 0.05
    done
    sleep "0.0$(((run - 1) % 10))"
    kill -TERM $process
    { wait $process || true; } 2>/dev/null
    [ "$(wc -l <cache.out 2>/dev/null)" = 2 ] || echo "run $run"
done >incomplete
check killed-at-random "[ ! -s incomplete ]" incomplete

# When the program has ended, its handlers are no longer called, because their counts are not part of the results.
cp "$tests"/data/ticking.* .
for flags in --call=wrapper --call=inline; do
    instrument ticking $flags ticking.atd plain
    ending found -0 signals ticking ticking
    check "ticking$flags" "grep -qx 'the same' found && grep -qx 'exit status 3' found" found
done
