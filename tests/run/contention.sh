# contention: the cookbook's page for locks, against a program whose second thread waits for each lock a known number of
# times, each time at least as long as the first thread holds it, and no longer than the whole program takes.
cp "$tests/contention/program.c" "$top/docs/examples/cookbook/contention.atd" .
for kind in static dynamic; do
    if [ $kind = static ]; then alpha program program.c -g -pthread; else shared program program.c -g -pthread; fi
    instrument instrumented --objects=all contention.atd program || continue
    qemu -L /usr/alpha-linux-gnu instrumented | sort >said
    cut -d ' ' -f 1-3 said >expected
    awk -F '\t' '$1 ~ /^(often|rarely)$/ { taken[$1] += $3; waits[$1] += $4 }
        END { for (l in taken) print l, taken[l], waits[l] }' \
        contention.out | sort >found
    same $kind expected found
    # Only the second thread waits.
    awk -F '\t' '$1 ~ /^(often|rarely)$/ && ($4 > 0) != ($6 ~ /;second;take$/)' contention.out >wrong
    check $kind/calls "[ ! -s wrong ]" contention.out
    awk -F '\t' '$1 ~ /^(often|rarely)$/ && $4 > 0 { print $1, $5 }' contention.out | sort >waited
    check $kind/times "join said waited | awk '\$6 < \$4 || \$6 > \$5 { exit 1 } END { exit NR != 2 }'" waited
done
