# sent_faults: signals that faults cause, but that the program has sent: also to a handler without siginfo, and blocked:
# they belong to the program, as faults do; masks remain the program's.
libraries=/usr/alpha-linux-gnu
for program in static dynamic; do
    for told in "" -DTOLD; do
        $([ $program = static ] && echo alpha || echo shared) $program $told "$tests/data/sent_faults.c"
        ending expected -L $libraries $program
        for tool in $(pick "cache values" "empty prof cache values third audit"); do
            instrument instrumented -t $tool $program || continue
            for run in $(seq "$(pick 1 20)"); do
                ending found -L $libraries instrumented
                same "$program$told/$tool/$run" expected found
            done
        done
    done
done
