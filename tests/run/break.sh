# break: memory that calloc returns to an analysis routine is zero, even if free gave memory above the break back
# before.
alpha primes "$top/docs/examples/primes.c"
instrument broken "$tests/data/break.atd" primes
prints zero qemu broken <<'END'
168 primes
0 wrong, given back sometimes
END
