# updates: a change of a counter's cell that a signal interrupts, whose handler makes the same change, is not lost: in
# each of its forms, for all ways of inserting code, with and without threads.
alpha plain "$tests/data/interrupts.c"
alpha threads "$tests/data/interrupts.c" -Wl,-u,pthread_create
for program in plain threads; do
    for switch in --default --call=wrapper --without=placement --without=all; do
        instrument instrumented -v ${switch#--default} "$tests/data/forms.atd" $program
        # Instruction by instruction: a signal may arrive between any two.
        qemu -singlestep instrumented apart "$(pick 1000 10000)" >printed 2>&1 || true
        check $program$switch "awk -F'\\t' '
            NR == 3 { all = \$1; for (i = 2; i < NF; i++) if (\$i != all) exit 1; sampled = \$NF == int(all / 10) }
            NR > 4 { sum += \$2 }
            END { exit !(sampled && all > 1000 && sum == all) }' printed && grep -x interrupted printed" printed
    done
    check $program-form "grep 'updates inserted.*: $([ $program = plain ] && echo plain || echo atomic)' instrumented.log"
done
