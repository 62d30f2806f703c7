# unset_registers: values of registers that the program stores and never sets are the program's own: they are the same
# regardless of inserted code.
alpha static "$tests/data/unset_registers.c" -O2 -g
shared dynamic "$tests/data/unset_registers.c" -O2 -g
libraries=/usr/alpha-linux-gnu
for program in static dynamic; do
    for operand in value argument; do
        for variant in --without=liveness "" --poison $(pick '' '--call=wrapper,--poison --without=all'); do
            options="-D operand=$operand -D number=4"
            # Its address is another in each dynamic program that is instrumented.
            instrument tool -t values $options -D top=100 ${variant//,/ } $program
            ATOMC_FORMAT=csv qemu -L $libraries -0 tool tool >printed
            awk -F, -v OFS=, '$3 ~ /^(sum|real_sum|printf)$/ { $1 = ""; print }' values.out >"found.$operand$variant"
            [ "$variant" = --without=liveness ] || same "$program/$operand${variant:+/}$variant" \
                "found.$operand--without=liveness" "found.$operand$variant"
        done
    done
    # The six registers for integers, and those for floating-point numbers, at one of the two places.
    check $program/stores "[ \$(grep -c -E ',(stq|stt),(sum|real_sum)' found.value) -ge 14 ]" found.value
done
