# no_descriptors: a program that opens all descriptors which it may have gets as many as without atomc, and its results
# are written: both if the process may have more (the hard limit), and if it may not.
alpha plain "$tests/data/no_descriptors.c" -g
# `io` finds leaks of descriptors; `trace` has a file open from the beginning.
for tool in prof $(pick "third io" "cache third hiprof values io malloc") trace; do
    instrument $tool -t $tool plain || continue
    for limits in "100 200" "100 100"; do
        set -- $limits
        for way in exit abort execve maps; do
            # A file that is kept open, or in which mappings are shown, uses one of the available descriptors.
            case "$tool-$limits-$way" in trace-"100 100"-* | *-"100 100"-maps) continue ;; esac
            rm -f $tool.out*
            (ulimit -Sn "$1" && ulimit -Hn "$2" && ending expected -0 program plain $way)
            (ulimit -Sn "$1" && ulimit -Hn "$2" && ending found -0 program $tool $way)
            same "$tool/$way/$2" expected found
            check "$tool/$way/$2/results" "[ -s $tool.out ]"
        done
    done
done
# The counts are the usual counts.
rm -f prof.out
(ulimit -Sn 100 && ending found prof exit)
grep total prof.out >expected
rm -f prof.out
(ulimit -n 100 && ending found prof exit)
grep total prof.out >found
same counts expected found
