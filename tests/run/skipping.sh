# skipping: instructions that tools skip, on purpose: the program behaves as if they did not exist.
lines() { grep -n "maybe" "$tests/altering/mixed.s" | sed '/macro\|stands/d; s/:.*//'; }
lines >lines
sed '/maybe ldq \$1,0(\$31)/d' "$tests/altering/mixed.s" >mixed.s # the load that always faults
alpha full "$tests/altering/mixed.c" "$tests/altering/mixed.s" -g -pthread
alpha gone "$tests/altering/mixed.c" "$tests/altering/mixed.s" -g -pthread -Wa,--defsym,gone=1
alpha sound "$tests/altering/mixed.c" mixed.s -g -pthread
qemu gone >expected
check all "[ \$(wc -l <lines) = 13 ] && [ \$(wc -l <expected) = 6 ]"
for options in "" --poison \
    $(pick "" \
    "--copy=sparse --copy=all --call=wrapper --without=liveness --without=observations --without=placement --stack=program --without=all"); do
    for always in true false; do
        instrument left_out $options -D always=$always "$tests/altering/mixed.atd" full
        qemu left_out >printed || true
        check "gone/$always$options" "cmp expected printed"
    done
done
# Sometimes, at branches and calls: derived counts equal counts that are made.
for options in "" -Dmade_too=false $(pick "" "--copy=sparse --poison --without=all"); do
    instrument counted "$tests/altering/counted.atd" $options sound
    qemu counted | tail -2 >printed || true
    printf 'Calls\tHalf\tEntered\tSkipped\n1\t1\t1\t1\n' >same
    check "counted$options" "cmp same printed && [ \$(cat blocks ways choices | wc -l) = 3 ]" blocks ways choices
done
# The same without threads, because with threads each branch would be counted.
alpha queens "$tests/../docs/examples/queens.c" -g
instrument counted "$tests/altering/counted.atd" -D procedure=is_safe -D made_too=false queens
qemu counted >printed || true
check counted/single "grep ways printed && [ \$(cat blocks ways choices | wc -l) = 3 ]" blocks ways choices
# A system call that is not made, and fails; a call of a C library that does nothing, but has a result.
alpha fault.plain "$tests/altering/fault.c"
instrument refused "$tests/altering/refused.atd" fault.plain
prints refused qemu refused <<'END'
good
Permission denied
good
Skipped
1
END
# Each instruction that can be skipped, under a condition that never holds: nothing changes. Instructions without effect
# are skipped.
alpha original "$tests/altering/original.c" -pthread
qemu original >expected
for part in $(pick 1 "0 1 2"); do
    instrument never -D part="$part" "$tests/altering/never.atd" original $(pick "" --poison)
    qemu never >printed 2>said || true
    check "never/$part" "cmp expected printed && grep -x 1 said"
done
