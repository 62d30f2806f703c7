# stepping: instructions that the runtime executes step by step, when a signal arrives in inserted code, have the same
# results, FPCR and traps as on the processor: every instruction, with all its qualifiers.
objects=
for source in codegen/alpha/decode.c codegen/alpha/stepped.c "$BUILD/generated/alpha_table.c" tests/stepping/stepping.c; do
    object=$(basename "$source" .c).o
    alpha-linux-gnu-gcc -std=gnu11 -O2 -I"$top" -I"$BUILD/generated" -c "$(cd "$top" && realpath "$source")" -o "test_$object"
    objects+=" test_$object"
done
# shellcheck disable=SC2086
alpha-linux-gnu-gcc -static -Wl,--no-relax $objects \
    "$BUILD"/runtime/machine/alpha/{stepping,evaluate,operators,primitives}.o -o steps
check all "timeout 1500 $QEMU steps $(pick 40 1000) >printed &&
    grep -q '^[3-9][0-9][0-9] instructions, 1, 1, 0 different$' printed" printed

# The same when signals arrive: results, flags and counts.
cp "$tests"/stepping/{floating*,vax.c} .
for program in floating vax; do
    alpha $program $program.c -mieee-with-inexact -mfp-rounding-mode=d -lm
    "$QEMU" $program >expected 2>plain.log
    for how in call=wrapper $(pick "" "without=all stack=program call=inline"); do
        instrument instrumented --$how floating.atd $program || continue
        timeout 1500 "$QEMU" instrumented >found 2>$program.log || true
        check "$program/$how" "same_counts=\$(tail -n 1 floating.out) && diff expected found &&
            [ \"\$same_counts\" = \"\$(cat floating_c.out)\" ] && grep -q '[1-9][0-9]* inside' $program.log"
    done
done
