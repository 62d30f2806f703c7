# altering: tools that change the behaviour of programs on purpose; the expected outputs were computed by hand.
alpha original "$tests/altering/original.c" -pthread
prints plain qemu original <<'END'
sum 204
scale 4.250 half 4.500
power 81 32
handled 3
missing 0
threads 389250
END
# Routines replace procedures, and call them: sums times ten, 3 times half, every third reservation fails, handlers
# twice. Together with audit, which reads all registers, so that none is free for a return.
for options in "" "-t audit" $(pick --copy=sparse "--copy=sparse --copy=all --call=wrapper --poison --without=liveness"); do
    instrument around $options "$tests/altering/around.atd" original
    prints "original${options// /}" qemu around <<'END'
sum 2040
scale 1004.250 half 13.500
power 81 32
handled 6
missing 2
threads 3892500
1501 sums, 11 powers of depth 6, 6 reserved, 3 signals
END
done
# Registers: the seventh argument, on the stack, is the first times one hundred, the second is 0; the result is times
# ten plus one, except 0.
for options in "" $(pick --copy=sparse "--copy=sparse --copy=all --call=wrapper --poison --without=liveness --stack=program"); do
    instrument setting $options "$tests/altering/set.atd" original
    prints "set$options" qemu setting <<'END'
sum 9001
scale 28.250 half 4.500
power 81 33
handled 9
missing 2
threads 3863999
Sums	Reserved	Failed
1502	6	2
END
done
# Registers are set to the value that they have, at each instruction where this is possible: the program's behaviour
# does not change.
qemu original >expected
for part in $(pick 1 "0 1 2"); do
    instrument same -D part="$part" "$tests/altering/same.atd" original $(pick "" --poison)
    qemu same >printed 2>said || true
    check "same/$part" "cmp expected printed && grep -x 1 said"
done
# Branches with changed outcomes: derived counts agree with counts that were made. The third recursive call is the last
# but one.
instrument flow "$tests/altering/flow.atd" original
qemu flow | sed -n '/power/p; /threads/p; /^[0-9]/p' >printed
prints flow cat printed <<'END'
power 9 8
threads 401250
7	2
END
check flow/blocks "[ \$(wc -l <blocks) = 1 ] && [ \$(wc -l <branches) = 1 ]" blocks
# System calls that fail, exceptions that are thrown and not.
alpha fault.plain "$tests/altering/fault.c"
for which in 1 3; do
    instrument fault "$tests/altering/fault.atd" -D which=$which fault.plain
    prints fault/$which qemu fault < \
        <(for i in 1 2 3; do if [ $i = $which ]; then echo Permission denied; else echo good; fi; done && printf 'Made\n3\n')
done
alpha thrown.plain "$tests/altering/thrown.cc"
prints thrown.plain qemu thrown.plain <<<'55 135'
instrument thrown "$tests/altering/thrown.atd" thrown.plain
# 55 - 3 + 2, twice; 135 - 12 + 100
prints thrown qemu thrown <<<'108 223'
