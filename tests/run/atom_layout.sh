# atom_layout: ATOM's lower-level routines: room in the bss, names of outputs and libraries, first and last procedures:
# against readelf, nm and the behaviour of the programs.
. "$tests/lib/dynamic.sh"
. "$tests/lib/agree.sh"
cp "$tests"/atom/layout/* .
alpha static program.c
alpha early program.c -DFIRST
for n in 1 2; do shared lib$n.so number.c -fPIC -shared -DNUMBER=$n -Wl,-soname,lib$n.so; done
shared dynamic program.c -DNEEDS -fno-pie -no-pie ./lib1.so -Wl,-rpath,"$scratch"

segment_end() { # FILE: where its writable segment ends in memory
    alpha-linux-gnu-readelf -lW "$1" | awk '$1 == "LOAD" && $7 ~ /W/ { print $3, $6 }' | grep -i "^0x0*12" | while read -r \
        address size; do printf '%x\n' $((address + size)); done
}
offset() { # FILE: from main to _init
    alpha-linux-gnu-nm "$1" |
        awk "$hexadecimal"'$3 == "main" { m = number($1) } $3 == "_init" { i = number($1) } END { print i - m, m - i }'
}
for each in static early dynamic; do
    words=$([ $each = dynamic ] && echo "renamed.$each lib1.so lib2.so" || echo renamed.$each)
    "$ATOMC" $each layout.{inst,anal}.c -toolargs="$words" -o unused >printed 2>&1
    check "$each/name" "[ -x renamed.$each ] && [ ! -e unused ]" printed
    first=$([ $each = early ] && echo before_all || echo _init)
    agree "$each/said" \
        <(printf '%s\n' "end $(segment_end $each)" "room 1" "then 100000" "next 1" \
        "names renamed.$each renamed.$each" "first $first" \
        "last _fini" "offset $(offset $each)") printed
    check "$each/bss" "[ \$((16#$(segment_end renamed.$each) - 16#$(segment_end $each))) -ge 100008 ]"
    qemu -L "$libraries" $each >plain
    agree "$each/runs" <(sed "$([ $each = dynamic ] && echo s/number.1/number\ 2/)" plain && echo "wrong 0, order 123") \
        <(qemu -L "$libraries" renamed.$each)
done
"$ATOMC" dynamic wrong.inst.c layout.anal.c -all -o wrong.atom >said 2>&1 || true
agree wrong wrong.expected said
check no-output "[ ! -e wrong.atom ]"
