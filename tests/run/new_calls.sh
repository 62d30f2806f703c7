# new_calls: system calls that are newer than atomc's table, that an emulator lacks, or that do not exist, have the same
# result as without atomc. Only clone3 fails as in a kernel that lacks it.
alpha static "$tests/data/new_calls.c"
shared dynamic "$tests/data/new_calls.c"
for program in static dynamic; do
    ending expected -L /usr/alpha-linux-gnu $program
    sed -i "s/^545: .*/545: -1 $(echo ENOSYS | alpha-linux-gnu-gcc -E -include errno.h -x c - 2>/dev/null | tail -n 1)/" expected
    for tool in prof third; do
        for objects in $([ $tool-$program = third-dynamic ] || echo main) $([ $program = static ] || echo all); do
            instrument instrumented --objects=$objects -t $tool $program || continue
            ending found -L /usr/alpha-linux-gnu instrumented
            same "$program/$tool/$objects" expected found
        done
    done
done
