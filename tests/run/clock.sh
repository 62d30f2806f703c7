# clock: $ns is between two readings of the program's own, and $comm is the name that the program has given itself, in
# threads and after a fork.
cp "$tests"/clock/* .
alpha a_program_with_a_long_name program.c -g -pthread
shared dynamic program.c -g -pthread
cp dynamic a_program_with_a_long_name.dynamic 2>/dev/null || true
for program in a_program_with_a_long_name a_program_with_a_long_name.dynamic; do
    [ -e $program ] || continue
    instrument instrumented clock.atd $program
    ATOMC_OUT=$program.out qemu -L /usr/alpha-linux-gnu instrumented
    check "$program/names" "[ ! -s $program.out/wrong ]" "$program.out/wrong"
    prints "$program/sums" cat $program.out/sums <<'END2'
Moments	Right	Back	Names	Same
250	500	0	13	13
END2
    prints "$program/by_name" cat $program.out/names <<'END2'
Name	Calls
a_program_with_	1
before	6
one	2
three; with 15 	2
two	2
END2
    prints "$program/child" cat $program.out/sums.1 <<'END2'
Moments	Right	Back	Names	Same
50	100	0	1	1
END2
done
