# detach: counts, lines, histograms and keyed counters are of the events up to a call; later ones, in other threads, in
# handlers and in children, leave all of them unchanged; and the program is not changed.
cp "$tests"/detach/* .
alpha plain program.c -O1 -g -pthread
for how in one threads child; do
    for switches in "" --call=wrapper --without=all; do
        # shellcheck disable=SC2086
        instrument instrumented $switches detach.atd plain
        rm -rf out
        qemu plain $how >expected
        ATOMC_OUT=out qemu instrumented $how >found
        same "$how$switches/program" expected found
        # The thread that detaches is at its 100th call at the latest. Until it does so, the two others may count all of their
        # calls.
        if [ $how = threads ]; then
            check "$how$switches/counts" "awk 'NR == 2 { exit !(\$1 >= 100 && \$1 <= 2100) }' out/counts" out/counts
            continue
        fi
        check "$how$switches/counts" "[ \"\$(sed 1d out/counts)\" = '100	99' ] && [ \"\$(sed 1d out/own)\" = 100 ]" out/counts
        check "$how$switches/lengths" "awk 'NR == 2 { exit !(\$1 == \$2 && \$1 > 100) }' out/lengths" out/lengths
        check "$how$switches/sums" "[ \"\$(sed 1d out/sums | paste -s -d ' ')\" = 'after	99 signal	1 step	100' ]" out/sums
        check "$how$switches/arguments" "[ \$(wc -l <out/arguments) = 101 ] &&
            [ \"\$(cat out/lines | paste -s -d ' ')\" = '0 1 2 3 4' ]" out/arguments
        [ $how != child ] || check "$how$switches/child" "[ \"\$(sed 1d out/counts.1)\" = '0	99' ] &&
            [ \$(wc -l <out/sums.1) = 1 ]" out/counts.1
    done
done
# Never reached: all is counted. Another tool continues.
cat >other.atd <<'END'
# other.atd: all calls of step.
tool other "calls"
counter steps
for p in procs where p.name == "step" { before p steps++ }
report "other" "Steps" steps
END
instrument instrumented detach.atd other.atd plain
rm -rf out
ATOMC_OUT=out qemu instrumented >found
check other "[ \"\$(sed 1d out/counts)\" = '100	99' ] && [ \"\$(sed 1d out/other)\" = 1000 ]" out/other
instrument instrumented -D at=5000 detach.atd plain
ATOMC_OUT=out qemu instrumented >found
check never "[ \"\$(sed 1d out/counts)\" = '1000	999' ] &&
    [ \"\$(sed 1d out/sums | paste -s -d ' ')\" = 'after	1000 signal	2 step	1000' ]" out/counts
