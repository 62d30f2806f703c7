# operators: the values of each operator of plan/operators.def at the limits of its operands: in inlined code, in code
# that is not inlined, and in reports, compared with the evaluator on the host.
gcc -I"$top" "$tests/operators/make.c" "$top/plan/operators.c" -o make
./make tool >operators.atd
./make values >expected
alpha plain "$tests/operators/program.c" -I"$top"
while read -r code flags; do
    # shellcheck disable=SC2086
    instrument program $flags operators.atd plain || continue
    rm -f values
    qemu program
    check "$code" "[ \$(wc -l <expected) -gt 10000 ] && diff expected values"
done <<'END'
inlined
separate --call=wrapper
all-saved --call=wrapper --without=all
END
