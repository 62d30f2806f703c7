# stepping: what the runtime executes step by step, when a signal comes in inserted code, has the results, the FPCR and the traps
# that the processor has: every operate instruction with all its qualifiers, and floating-point branches, loads and stores.
objects=
for source in codegen/decode.c engine/output/kinds.c "$BUILD/generated/alpha_table.c" tests/stepping/stepping.c; do
    object=$(basename "$source" .c).o
    alpha-linux-gnu-gcc -std=gnu11 -O2 -I"$top" -I"$BUILD/generated" -c "$(cd "$top" && realpath "$source")" -o "test_$object"
    objects+=" test_$object"
done
# Of start.S only what stepping.c calls is executed.
# shellcheck disable=SC2086
alpha-linux-gnu-gcc -static -Wl,--no-relax -Wl,--unresolved-symbols=ignore-all $objects \
    "$BUILD"/runtime/stepping.o "$BUILD"/runtime/evaluate.o "$BUILD"/runtime/start_s.o -o steps
check all "timeout 300 $QEMU steps $(pick 40 1000) >printed && grep -q '^[3-9][0-9][0-9] instructions, 1, 1, 0 different$' printed" printed
