# The windows cover the run of the program, and the C library's part of it.
all=$(awk -F '\t' '{ sum += $3 } END { print sum }' executed)
check working-set/workingset "awk -F '\t' 'NR > 1 { last = \$1; if (\$2 < 1 || \$3 != \$2 * 8192) exit 1 }
    END { exit !(last <= $all && last > $all - 2 * 1000) }' workingset.out" workingset.out
# tests/run/workingset.sh compares each window with a trace.
