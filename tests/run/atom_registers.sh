#!/bin/bash
# atom_registers.sh: REGV and FREGV of every register at every kind of place, of a program in which each holds a value that
# tells which it is; pcs against nm, readelf and --dump=map.
# Requires: atomc (ATOMC), the Alpha cross compiler and binutils, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/registers/* "$scratch"
cd "$scratch"
ulimit -c 0
alpha-linux-gnu-gcc -static -Wl,--no-relax registers.S -o registers
words="registers registers.inst.c registers.anal.c"
# shellcheck disable=SC2086
"$ATOMC" $words -o registers.atom && "$ATOMC" $words --dump=map >map
address() { # SYMBOL
    printf '%d' "0x$(alpha-linux-gnu-nm registers | awk -v name="$1" '$3 == name { print $1 }')"
}
copy() { # ADDRESS
    printf '%d' "$(awk -v at="$(printf '0x%x' "$1")" '$2 == at { print $1 }' map | tail -n 1)"
}
# end_of FOUND WORD...: runs it; the exit status is the program's own.
end_of() {
    local found=$1 status=0
    shift
    { "$QEMU" registers.atom "$@" >"$found" 2>/dev/null || status=$?; } 2>/dev/null
    echo "status $status" >>"$found"
}
# values PLACE FIRST LAST: what the registers hold; $0 and $16 otherwise: V0 and A0
values() {
    local r value
    for ((r = $2; r <= $3; r++)); do
        value=$((r < 32 ? 1000 + r : 2000 + r - 32))
        case $r in 0) value=${V0:-1000} ;; 16) value=${A0:-1016} ;; 30) value=SP ;; 31 | 63) value=0 ;; 64) value=$PC ;; 65) continue ;; 66) value=$IPC ;; esac
        echo "$1 $r $value"
    done
}
same() { # TEST EXPECTED FOUND
    if [ -s "$2" ] && diff "$2" "$3" >difference 2>&1; then passed "registers/$1"; else failed "registers/$1" "not what it holds (<)" difference; fi
}
end_of found
end_of faulted word
sp=$(sed -n 's/^1 30 //p' found)
only() { # PLACE FOUND: its lines, the stack pointer of main by name
    sed -n "s/^$1 30 $sp\$/$1 30 SP/; /^$1 /p" "$2"
}
entry=$((16#$(alpha-linux-gnu-readelf -h registers | sed -n 's/.*Entry point address: *0x//p')))
# What is inserted before the instruction begins behind the one before it.
PC=$(address set) IPC=$(($(copy $(($(address set) - 4))) + 4))
values 2 0 66 >expected && only 2 found >b && same before "expected" b
values 3 32 63 >expected && only 3 found >b && same after expected b
for place in 0 10; do
    for ((r = 0; r <= 66; r++)); do
        case $r in 30) echo "$place 30 argc 1" ;; 64) echo "$place 64 $entry" ;; 65) ;; 66) echo "$place 66 $(copy $entry)" ;; *) echo "$place $r 0" ;; esac
    done >expected
    only $place found >b && same program-before-$place expected b
done
PC=$(address end_at) IPC=$(copy "$(address end_at)") V0=405 A0=7
for place in 14 4; do
    values $place 0 66 >expected && only $place found >b && same program-after-$place expected b
done
unset V0 A0
PC=$(address fault_at) IPC=$(copy "$(address fault_at)")
sp=$(sed -n 's/^1 30 //p' faulted)
values 4 0 66 >expected && only 4 faulted >b && same signal expected b
# Registers by their names, more than six at once; the counter against an rpcc of its own.
{
    echo "many 0 0 0"
    echo "many 2 1000 $((1000 * 30 + 29 * 30 / 2))"
    echo "named 1026 1029 0 1016 1017 1018 1019 1020 1021 1000 1000"
    echo "floats 0 2016 2017 2018 2019 2020 2021 2000"
    echo "cycles go on"
    echo "cycles go on"
    echo "many 4 405 $((1000 * 30 + 29 * 30 / 2 - 1000 - 1016 + 405 + 7))"
    echo "cycles go on"
    echo "status 7"
} >expected
grep '^[mnfcs]' found >b && same names expected b
grep '^status' faulted >b && echo "status 139" >expected && same signal-status expected b
exit "$((failures > 0))"
