# atom_registers: REGV and FREGV of every register at every kind of place, in a program in which each register holds a
# value that identifies it; pcs against nm, readelf and --dump=map.
cp "$tests"/atom/registers/* .
alpha registers registers.S
instrument registers.atom registers registers.inst.c registers.anal.c
"$ATOMC" registers registers.inst.c registers.anal.c --dump=map >map
ending ended registers.atom
ending faulted registers.atom word

address() { # SYMBOL
    echo $((16#$(alpha-linux-gnu-nm registers | awk -v name="$1" '$3 == name { print $1 }')))
}
copy() { # ADDRESS
    echo $(($(awk -v at="$(printf '0x%x' "$1")" '$2 == at { print $1 }' map | tail -n 1)))
}
# holds TEST FILE PLACE FIRST LAST OTHERS: the values of the registers from first to last at the place. OTHERS are
# REGISTER=VALUE, separated by commas. $30 is main's stack pointer, which place 1 has; 65 counts cycles.
holds() {
    awk -v place="$3" -v first="$4" -v last="$5" -v others="$6" -v sp="$(sed -n 's/^1 30 //p' "$2")" 'BEGIN {
        for (r = 0; r < 64; r++) value[r] = others ~ /^all/ ? 0 : r < 32 ? 1000 + r : 2000 + r - 32
        value[30] = sp
        value[31] = value[63] = 0
        n = split(others, other, ",")
        for (i = 1; i <= n; i++) { split(other[i], part, "="); value[part[1]] = part[2] }
        for (r = first; r <= last; r++) if (r != 65) print place, r, value[r] }' >expected
    grep "^$3 " "$2" >found
    same "$1" expected found
}
# Code inserted before an instruction begins after the preceding instruction. A program begins with the registers that
# QEMU gives it: all 0, but for $30, 7.2's $23 and its $24, which is the entry.
set=$(address set) end=$(address end_at) fault=$(address fault_at)
entry=$((16#$(alpha-linux-gnu-readelf -h registers | sed -n 's/.*Entry point address: *0x//p')))
alpha-linux-gnu-gcc -static -nostdlib -Wl,--no-relax "$tests/data/first_registers.S" -o first
read -r r23 r24 < <("$QEMU" first | od -A n -t u8 -j $((8 * 23)) -N 16)
[ "$r24" = 0 ] || r24=$entry
holds before ended 2 0 66 "64=$set,66=$(($(copy $((set - 4))) + 4))"
holds after ended 3 32 63 ""
holds program-before-0 ended 0 0 66 "all=0,23=$r23,24=$r24,30=argc 1,64=$entry,66=$(copy $entry)"
holds program-before-10 ended 10 0 66 "all=0,23=$r23,24=$r24,30=argc 1,64=$entry,66=$(copy $entry)"
holds program-after-14 ended 14 0 66 "0=405,16=7,64=$end,66=$(copy $end)"
holds program-after-4 ended 4 0 66 "0=405,16=7,64=$end,66=$(copy $end)"
holds signal faulted 4 0 66 "64=$fault,66=$(copy $fault)"

# Registers by their names, more than six at once; the counter against an rpcc of its own.
sum=$((1000 * 30 + 29 * 30 / 2))
prints names grep '^[a-z]' ended <<END
many 0 0 $((r23 + r24))
many 2 1000 $sum
named 1026 1029 0 1016 1017 1018 1019 1020 1021 1000 1000
floats 0 2016 2017 2018 2019 2020 2021 2000
cycles go on
cycles go on
many 4 405 $((sum - 1000 - 1016 + 405 + 7))
cycles go on
exit status 7
END
check signal-status 'grep -x "exit status 139" faulted'
