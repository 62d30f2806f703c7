# actions: sampling, switches, histograms, arrays, parameters and procedures replaced, on programs whose counts are known, in one
# thread and in several.
cp "$tests"/actions/* "$top"/docs/examples/{queens.c,values.atd} .
for each in work values replaced; do
    alpha $each $each.c -pthread
done
alpha queens queens.c -g

# One call in EVERY is examined, and the calls between two others: THREADS * STEPS calls in threads, and 25 more.
while read -r every threads steps flags; do
    instrument windows $flags -D every=$every windows.atd work
    all=$((threads * steps + 25))
    even=$((threads * ((steps + 1) / 2) + 2 + 2 * 5 + 1)) # 0 and 2, five of each ten, and round 0
    prints windows-$every-$threads$flags qemu windows $threads $steps <<END
done
looked at $((even / (2 * every))), 0 odd
All	Sampled	Even	Inside	Outside	First	Windows	Both
$all	$((all / every))	$((even / (2 * every)))	20	$((threads * steps + 3))	4	1	1
END
done <<'END'
7 1 1000
7 1 1000 --without=liveness
1 1 1000
300 4 30000
3 4 30001
END

# Compares histograms with results that the program computes itself for the same values, in the slow and obvious way.
for flags in "" --without=liveness; do
    instrument histograms $flags histograms.atd values
    for threads in 1 3; do
        qemu values $threads expected >expected
        qemu histograms $threads 2>&1 | grep -v ^Name >found || true
        same histograms-$threads$flags expected found
    done
done

# both FILE WORD...: a program's standard output, followed by its standard error.
both() {
    qemu "${@:2}" >"$1" 2>error || true
    cat error >>"$1"
}
# Floating-point values, arguments on the stack, values of loads and stores: the tool prints the same sums after the
# program's.
alpha numbers numbers.c -mcpu=ev56
qemu numbers >plain 2>plain.error
read -r b w l q < <(sed -n 's/loads //p' plain)
{
    cat plain && grep -v s plain && cat plain.error && printf 'Moves\tLoaded\tStored\tLate\n'
    printf 'ld%s\t%s\t0\t0\nst%s\t0\t%s\t%s\n' bu $b b $b $b wu $w w $w $w l $l l $l $l q $q q $q $q
    printf 'Copies\tOutside\tClock\tHere\tElsewhere\tCalled\tReturned\n4000\t0\t1\t8000\t0\t1000\t1000\n'
} >expected
for flags in "" --without=liveness --stack=program; do
    instrument numbers.atom $flags numbers.atd numbers
    both found numbers.atom
    same numbers$flags expected found
done

# Float parameters: rounded as the host's own C does, and no exception raised.
gcc -O2 -DREFERENCE floats.c -o reference
alpha floats floats.c -mieee-with-inexact -lm
{ qemu floats && ./reference; } >expected
for flags in "" --without=liveness --stack=program --call=wrapper; do
    instrument floats.atom $flags floats.atd floats
    both found floats.atom
    same floats$flags expected found
done

# Floating-point arguments on the stack: the program prints the arguments of its procedures, and their sum.
for level in O0 O2; do
    alpha passed passed.c -$level
    qemu passed >plain
    grep -v ^sum plain >expected
    awk '$1 == "doubles" && ($2 == 6 || $2 == 8) { print $3 }' plain >bits
    for flags in "" --without=liveness --stack=program --call=wrapper; do
        instrument passed.atom $flags passed.atd passed
        rm -f lines
        qemu passed.atom 2>found >printed || true
        same passed-$level$flags expected found
        same passed-$level$flags/program plain printed
        awk '{ print $1; print $2 }' lines | python3 -c 'import struct, sys
for line in sys.stdin: print("%016x" % struct.unpack("<Q", struct.pack("<d", float(line)))[0])' >found
        # %f shows six digits, %.17g all bits.
        check passed-$level$flags/prints "[ \$(wc -l <lines) = 20 ] &&
            diff <(sed -n 'n;p' bits) <(sed -n 'n;p' found)" lines
        instrument passed.atom $flags passed_on.atd passed
        qemu passed.atom 2>error | grep -v '^doubles\|^floats' >printed || true
        grep -v '^doubles\|^floats' plain >others
        same passed-$level$flags/replaced others printed
    done
done

# Successors and predecessors must match the edges; the first table has the differences.
instrument neighbours neighbours.atd queens
prints neighbours qemu neighbours <<'END'
4 ways
Block	Succs	Preds	Edges	Ways	Edges
Ways
1
END

# Arrays against the same values passed one by one.
instrument arrays arrays.atd work
prints arrays qemu arrays 1 100 <<<$'done\nmany checks, 0 wrong, 125 steps'

# Parameters, counts of sets and cells of counters in C; the same beside another tool, whose tables are left out.
instrument header header.atd queens
prints header qemu header <<'END'
4 ways
at half: 1 500: 500
at half: 5 0: 0
hello "you", 4 81985529216486895 3 procs
is_safe 894: 0 6 36 120 216 276 240 0
place 153: 0 1 6 20 36 46 40 4
total 1048
END
instrument header values.atd header.atd queens
qemu header 2>&1 | grep -v -e Procedure -e '	' >found || true
same header-together prints.expected found

# Procedures that are replaced by C, also in threads; the expected output of the program is computed here.
kept=$(awk \
    'BEGIN { for (i = 0; i < 3; i++) k += (1.5 * i + 0.5 + 200 + 2.5 * 7) * (2.5 * -i + 1.25 + 255 + 1.5 * -7); print k + 0.25 }')
for flags in "" --without=liveness --stack=program --poison --copy=sparse; do
    instrument replaced.atom $flags replaced.atd replaced
    for threads in 0 3; do
        calls=$((2 * 5000 * (threads + 1) + 1))
        # For each thread, and for the first thread, which is number 2: the sum of i * number + i.
        total=$(((threads * (threads - 1) / 2 + 2 + threads + 1) * 5000 * 4999 / 2))
        both found replaced.atom $threads
        grep -v -e Procedure -e ^free -e ^malloc found >rest
        printf 'told\n%s -4468 -5\n%s\n%s products, memory given, freed %s\nignores\t%s\nsum\t1\n' \
            "$kept" $total $calls $((threads + 1)) $calls >expected
        same replaced-$threads$flags expected rest
    done
done

# A procedure that returns by another register cannot be replaced, and no procedure can be replaced twice.
echo 'long never(void) { return 0; }' >never.c
while IFS=: read -r procedures message; do
    printf 'tool never "replaces"\nanalysis "never.c"\n' >never.atd
    printf 'for p in procs where p.name == "%s" { replace p with never }\n' $procedures >>never.atd
    check "not-replaced-${procedures%% *}" \
        "! '$ATOMC' never.atd replaced -o never >log 2>&1 && grep 'never.atd:[34]:.*$message' log" log
done <<'END'
__divq:does not follow the calling standard
main main:is replaced twice
END

# A stub compiles without a warning, has the prototypes that its tool needs, and runs. Tools with one C file have one
# stub; the signature of a replacement is unknown, because it has no calls.
mkdir include stubs
cp -r "$top"/docs/examples "$top"/stdtools stubs
for tool in stubs/*/$(pick "[n-v]*" "*").atd; do
    name=$(basename "$tool" .atd) source=$(dirname "$tool")/$(sed -n 's/^analysis "\([a-z_]*\.c\)"$/\1/p' "$tool")
    [ -f "$source" ] && [ "$name" != mismatch ] && ! grep -q 'replace .* with ' "$tool" || continue
    "$ATOMC" --header "$tool" >include/atomc.h
    "$ATOMC" --stub "$tool" >stub.c
    mv stub.c "$source"
    check "stub-$name" "alpha-linux-gnu-gcc -Wall -Wextra -Werror -Iinclude -Istubs/stdtools -c $source -o stub.o &&
        '$ATOMC' $tool queens -o stub >log 2>&1 && ! grep error log && qemu stub | grep '4 ways'" log
done
