# full_stack: the process ends because its stack is full: with each tool as without it, and with the tool's results.
alpha plain "$tests/data/full_stack.c" -g
ending expected plain
check ends-so "grep -q 139 expected" expected
for tool in prof third hiprof values $(pick "" "cache gprof audit dyninst memsys"); do
    instrument instrumented -t $tool plain || continue
    ending found instrumented
    same "$tool" expected found
    check "$tool/results" "ls $tool.out* && [ -s \$(ls $tool.out* | head -1) ]"
done
check third/leak "grep -P '^leak|[Ll]eak' third.out | grep -w 50" third.out
