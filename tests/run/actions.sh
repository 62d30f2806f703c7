#!/bin/bash
# actions.sh: sampling, switches and histograms, on programs whose counts are known, in one thread and in several.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/actions/* docs/examples/queens.c docs/examples/values.atd "$scratch"
mkdir -p "$scratch/stubs/stdtools"
cp -r docs/examples "$scratch/stubs"
cp stdtools/* "$scratch/stubs/stdtools"
cd "$scratch"
alpha-linux-gnu-gcc -O2 -static -pthread -Wl,--no-relax work.c -o work

# says TEST PROGRAM ARGUMENTS: it prints what standard input says, and ends well.
says() {
    local test=$1
    shift
    if "$QEMU" "$@" >found 2>&1 && diff - found >difference; then
        passed "actions/$test"
    else
        cat found >>difference
        failed "actions/$test" "not what it should print" difference
    fi
}

# windows EVERY FLAGS: THREADS STEPS calls in threads, and 25 more.
windows() {
    local every=$1 threads=$2 steps=$3 flags=${4:-} all even
    all=$((threads * steps + 25))
    even=$((threads * ((steps + 1) / 2) + 2 + 2 * 5 + 1)) # 0 and 2, five of each ten, and round 0
    # shellcheck disable=SC2086
    "$ATOMC" $flags windows.atd work -D "every=$every" -o work.atom >log 2>&1 || failed "actions/windows" "atomc failed" log
    printf 'done\nlooked at %d, 0 odd\n%s\n%d\t%d\t%d\t20\t%d\t4\t1\t1\n' "$((even / (2 * every)))" \
        "$(printf 'All\tSampled\tEven\tInside\tOutside\tFirst\tWindows\tBoth')" \
        "$all" "$((all / every))" "$((even / (2 * every)))" "$((threads * steps + 3))" >expected
    says "windows-$every-$threads$flags" work.atom "$threads" "$steps" <expected
}
windows 7 1 1000
windows 7 1 1000 --no-liveness
windows 1 1 1000
windows 300 4 30000
windows 3 4 30001

# Histograms against what the program finds out itself, about the same values, the slow and obvious way.
alpha-linux-gnu-gcc -O2 -static -pthread -Wl,--no-relax values.c -o values
for threads in 1 3; do
    for flags in "" --no-liveness; do
        # shellcheck disable=SC2086
        "$ATOMC" $flags histograms.atd values -o values.atom >log 2>&1 || failed "actions/histograms" "atomc failed" log
        "$QEMU" values "$threads" expected >expected
        if "$QEMU" values.atom "$threads" 2>&1 | grep -v ^Name >found && [ -s found ] && diff expected found >difference; then
            passed "actions/histograms-$threads$flags"
        else
            failed "actions/histograms-$threads$flags" "not the values that there were" difference
        fi
    done
done

# Floating-point values, arguments on the stack, what loads and stores move: the program prints the same sums.
alpha-linux-gnu-gcc -O2 -mcpu=ev56 -static -Wl,--no-relax numbers.c -o numbers
for flags in "" --no-liveness --stack=program; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags numbers.atd numbers -o numbers.atom >log 2>&1 || failed "actions/numbers" "atomc failed" log
    "$QEMU" numbers >plain 2>plain.error
    { cat plain && grep -v s plain; } >expected
    {
        cat plain.error
        printf 'Moves\tLoaded\tStored\tLate\n'
        set -- $(sed -n 's/loads //p' plain)
        for move in "b $1" "w $2" "l $3" "q $4"; do
            set -- $move
            load=ld$1 store=st$1
            case $1 in b | w) load=${load}u ;; esac
            printf '%s\t%s\t0\t0\n%s\t0\t%s\t%s\n' "$load" "$2" "$store" "$2" "$2"
        done
        printf 'Copies\tOutside\tClock\tHere\tElsewhere\tCalled\tReturned\n4000\t0\t1\t8000\t0\t1000\t1000\n'
    } >expected.error
    if "$QEMU" numbers.atom >found 2>found.error && diff expected found >difference && diff expected.error found.error >>difference; then
        passed "actions/numbers$flags"
    else
        failed "actions/numbers$flags" "other sums than the program's" difference
    fi
done

# Successors and predecessors are what edges say; the first table has what differs.
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax queens.c -o near
"$ATOMC" neighbours.atd near -o near.atom >log 2>&1 || failed "actions/neighbours" "atomc failed" log
printf '4 ways\nBlock\tSuccs\tPreds\tEdges\tWays\tEdges\nWays\n1\n' >expected
says neighbours near.atom <expected

# Float parameters: rounded as the host's own C does, and no exception raised.
gcc -O2 -DREFERENCE floats.c -o reference
alpha-linux-gnu-gcc -O2 -mieee-with-inexact -static -Wl,--no-relax floats.c -lm -o floats
./reference >expected.error
"$QEMU" floats >expected
for flags in "" --no-liveness --stack=program --call=wrapper; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags floats.atd floats -o floats.atom >log 2>&1 || failed "actions/floats" "atomc failed" log
    if "$QEMU" floats.atom >found 2>found.error && diff expected found >difference && diff expected.error found.error >>difference; then
        passed "actions/floats$flags"
    else
        failed "actions/floats$flags" "rounded in another way" difference
    fi
done

# Arrays against the same values passed one by one.
"$ATOMC" arrays.atd work -o work.atom >log 2>&1 || failed "actions/arrays" "atomc failed" log
printf 'done\nmany checks, 0 wrong, 125 steps\n' | says arrays work.atom 1 100

# Parameters, counts of sets and cells of counters in C.
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax queens.c -o queens
"$ATOMC" header.atd queens -o queens.atom >log 2>&1 || failed "actions/header" "atomc failed" log
cat >expected <<'END'
4 ways
at half: 1 500: 500
at half: 5 0: 0
hello "you", 4 81985529216486895 3 procs
is_safe 894: 0 6 36 120 216 276 240 0
place 153: 0 1 6 20 36 46 40 4
total 1048
END
says header queens.atom <expected
"$ATOMC" values.atd header.atd queens -o queens.atom >log 2>&1 || failed "actions/header-together" "atomc failed" log
sed 1d expected >expected.last
if "$QEMU" queens.atom >found 2>&1 && head -n 1 expected | cat - expected.last | diff - <(grep -v -e Procedure -e "	" found) >difference; then
    passed actions/header-together
else
    failed actions/header-together "other values among several tools" difference
fi

# What returns by another register cannot be replaced, and nothing twice.
cat >not_replaced.atd <<'END'
tool not_replaced "x"
analysis "replacing.c"
for p in procs where p.name == "__divq" { replace p with never }
END
sed 's/__divq/main/; p' not_replaced.atd | awk '!/^(tool|analysis)/ || !seen[$0]++' >replaced_twice.atd
echo 'long never(void) { return 0; }' >never.c
alpha-linux-gnu-gcc -O2 -static -pthread -Wl,--no-relax replaced.c -o replaced
for tool in not_replaced:"does not follow the calling standard" replaced_twice:"is replaced twice"; do
    sed -i 's/replacing.c/never.c/' "${tool%%:*}.atd"
    if ! "$ATOMC" "${tool%%:*}.atd" replaced -o never.atom >log 2>&1 && grep -q "${tool%%:*}.atd:3:.*${tool#*:}\|${tool%%:*}.atd:4:.*${tool#*:}" log; then
        passed "actions/${tool%%:*}"
    else
        failed "actions/${tool%%:*}" "no error at its line" log
    fi
done

# Procedures replaced by C, in threads too; what the program then prints is worked out here.
alpha-linux-gnu-gcc -O2 -static -pthread -Wl,--no-relax replaced.c -o replaced
for flags in "" --no-liveness --stack=program --poison --copy=sparse; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags replaced.atd replaced -o replaced.atom >log 2>&1 || failed "actions/replaced" "atomc failed" log
    for threads in 0 3; do
        awk -v threads=$threads 'BEGIN {
            kept = 0.25
            for (i = 0; i < 3; i++) kept += (1.5 * i + 0.5 + 200 + 2.5 * 7) * (2.5 * -i + 1.25 + 255 + 1.5 * -7)
            for (t = 0; t <= threads; t++) for (i = 0; i < 5000; i++) total += i * (t < threads ? t : 2) + i
            calls = 5000 * (threads + 1)
            printf "told\n%g %d -5\n%d\n%d products, memory given, freed %d\n", kept, -3 + 65535 - 70000, total,
                2 * calls + 1, threads + 1
            printf "ignores\t%d\nsum\t1\n", 2 * calls + 1 }' >expected
        if timeout 60 "$QEMU" replaced.atom $threads 2>&1 | grep -v -e Procedure -e "^free" -e "^malloc" >found; diff expected found >difference; then
            passed "actions/replaced-$threads$flags"
        else
            failed "actions/replaced-$threads$flags" "not what the replacements compute" difference
        fi
    done
done

# A stub compiles without a warning, has the prototypes that its tool asks for, and runs.
for tool in stubs/*/*.atd; do
    name=$(basename "$tool" .atd)
    [ "$(grep -c '^analysis "[a-z_]*.c"$' "$tool")" = 1 ] && [ "$name" != mismatch ] || continue
    ! grep -q 'replace .* with ' "$tool" || continue # what stands in for a procedure is not known from its calls
    source=$(dirname "$tool")/$(sed -n 's/^analysis "\(.*\)"$/\1/p' "$tool")
    mkdir -p include
    "$ATOMC" --header "$tool" >include/atomc.h
    "$ATOMC" --stub "$tool" >stub.c
    cp stub.c "$source"
    if alpha-linux-gnu-gcc -Wall -Wextra -Werror -Iinclude -Istubs/stdtools -c stub.c -o stub.o >log 2>&1 &&
        "$ATOMC" "$tool" queens -o queens.atom >>log 2>&1 && ! grep -q error log && "$QEMU" queens.atom >found 2>&1 &&
        grep -q '4 ways' found; then
        passed "actions/stub-$name"
    else
        failed "actions/stub-$name" "the stub does not fit its tool" log
    fi
done
exit "$((failures > 0))"
