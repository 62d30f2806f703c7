# thread_faults: a handler of a thread's fault that sends the signal again, with its default action: the signal ends the
# program immediately.
libraries=/usr/alpha-linux-gnu
for program in static dynamic; do
    $([ $program = static ] && echo alpha || echo shared) $program "$tests/data/thread_faults.c" -pthread
    for tool in $(pick "empty third" "empty prof cache third audit"); do
        instrument instrumented -t $tool $program || continue
        for words in "s 1" "c 1" "r 1" "s 0" "r 0"; do
            ending expected -L $libraries $program $words
            for run in $(seq "$(pick 1 20)"); do
                ending found -L $libraries instrumented $words
                same "$program/$tool/${words/ /}/$run" expected found
            done
        done
        # If there are several threads, others may enter the handler, too.
        ending found -L $libraries instrumented s 3
        check "$program/$tool/s3" "grep -q handler found && [ \"\$(tail -n 1 found)\" = 'exit status 139' ]" found
    done
done
