# break: what an analysis routine gets from calloc is zero, also where free gave memory behind the break back before.
alpha primes "$top/docs/examples/primes.c"
instrument broken "$tests/data/break.atd" primes
prints zero qemu broken <<'END'
168 primes
0 wrong, given back sometimes
END
