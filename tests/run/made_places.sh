# made_places: code that the program makes runs at all addresses that the kernel has chosen: on 160 stacks, whose low
# halves are those of the analysis side, and in reserved memory.
alpha plain "$tests/data/executable_stacks.c" -g -pthread
shared dynamic "$tests/data/executable_stacks.c" -pthread
# Under qemu-user 7.2, also the plain program ends by chance in this way.
execute() { # OUTPUT WORD...
    ending "$@"
    ! grep -q "^The futex facility returned an unexpected" "$1" || ending "$@"
}
execute expected plain
check ends-so "grep -qx '200 pieces' expected && grep -qx 'exit status 0' expected" expected
for tool in empty prof audit $(pick "" "cache third hiprof"); do
    instrument instrumented -t $tool plain || continue
    execute found instrumented
    same "$tool" expected found
    # third instruments the libraries, which --copy=all is not for
    instrument instrumented -t $tool $([ $tool = third ] || echo --copy=all) dynamic || continue
    execute found -L /usr/alpha-linux-gnu instrumented
    same "dynamic/$tool" expected found
done
