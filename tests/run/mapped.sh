# mapped: a program maps memory at an address of its choice: if atomc has no memory there, the behaviour is unchanged;
# else the program ends with a line that names both ranges, and with results. Locked memory is memory that is used.
alpha plain "$tests/data/maps.c"
for tool in prof cache; do
    instrument $tool -t $tool plain
    for place in 0x10000 0x3ff00000 0x70000000 0x3f00000000 0x20000000 0x30000000 0x40000000 0x60000000 0x68000000 \
        0x1000000000 0x1800000000; do
        rm -f $tool.out
        ending expected -0 maps plain $place
        ending found -0 maps $tool $place
        case $place in
        0x10000 | 0x3ff00000 | 0x60000000 | 0x70000000 | 0x3f00000000) check "$tool/$place" \
            "diff expected found && [ -s $tool.out ]" found ;;
        *) check "$tool/$place" \
            "grep '^atomc: the program maps $place to 0x[0-9a-f]*, where the analysis side is: 0x[0-9a-f]* to 0x[0-9a-f]*: stopped$' found &&
            grep -qx 'exit status 134' found && [ -s $tool.out ]" found ;;
        esac
    done
done
qemu plain lock 2>before
qemu prof lock >locked 2>after || true
check resident "grep -qx -e 0 -e -1 locked && [ \$(cat after) -lt \$((\$(cat before) + 100000)) ]" before after
