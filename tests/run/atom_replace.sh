# atom_replace: procedures replaced in all of ATOM's ways, with and without threads; the expected output was computed by
# hand.
cp "$tests"/atom/replace/* .
alpha replace replace.c -w -pthread
# kept: 1+2+3+4+5+6 + 7*3 + 8*2 = 58, tenfold; threads: three times the sum of i + 27, and 8 * n, 2000 times each, tenfold.
sum=$((3 * (1999 * 2000 / 2 + 27 * 2000) + 8 * 3 * 2000))
totals="1 entered, 170 noted, 1"
prints plain qemu replace 3 < <(cat plain.expected && echo "threads $sum")
for options in "" --copy=all --copy=sparse --without=liveness --poison --stack=program --call=wrapper; do
    # shellcheck disable=SC2086
    instrument replace.atom replace replace.inst.c replace.anal.c $options
    prints "one$options" qemu replace.atom < <(cat replaced.expected && echo "2 calls, $totals")
    prints "threads$options" qemu replace.atom 3 < \
        <(cat replaced.expected && printf '%s\n' "threads ${sum}0" "6002 calls, $totals")
done
# With another tool: names of routines belong to each tool.
instrument both.atom -t prof replace replace.inst.c replace.anal.c
prints two-tools qemu both.atom < <(cat replaced.expected && echo "2 calls, $totals")
check two-tools-profile "grep ^total prof.out"
