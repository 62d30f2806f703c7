# altering: tools that alter what programs do, on purpose: what the programs print then was worked out by hand.
alpha original "$tests/altering/original.c" -pthread
prints plain qemu original <<'END'
sum 204
scale 4.250 half 4.500
power 81 32
handled 3
missing 0
threads 389250
END
# Routines in the place of procedures, which call them: sums tenfold, 3 times half, each third reservation fails, handlers twice.
for options in "" $(pick --copy=sparse "--copy=sparse --copy=all --call=wrapper --poison --without=liveness"); do
    instrument around $options "$tests/altering/around.atd" original
    prints "original$options" qemu around <<'END'
sum 2040
scale 1004.250 half 13.500
power 81 32
handled 6
missing 2
threads 3892500
1501 sums, 11 powers of depth 6, 6 reserved, 3 signals
END
done
