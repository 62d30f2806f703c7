#!/bin/bash
# atom_objects.sh: ATOM's interface and command line on dynamic programs: each object in its turn, calls as objects come and go,
# instructions executed in each, held against a tool in the language, which dynamic_objects.sh holds against the oracle.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, the host's gcc, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
# shellcheck source=tests/run/comings.lib
. tests/run/comings.lib
build -fPIC -shared -Wl,-Bsymbolic -DNUMBER=3 tests/data/come.cc -o "$scratch/come3.so"
cp "$scratch/comings-dynamic" "$scratch/comings"
objects=tests/hatch/objects
c=$scratch/come

# ---- InstrumentAll

for kind in dynamic pie; do
    for chosen in "-incobj libbetween -incobj ${c}0.so" "-incobj ${c}0.so -all -excobj libc -excobj libstdc++ -excobj libm"; do
        words=
        case $chosen in
        *-all*) words="all,${c}0.so" ;;
        *) words="main,libbetween,${c}0.so" ;;
        esac
        # shellcheck disable=SC2086
        "$ATOMC" "$scratch/comings-$kind" $objects/walk.inst.c $objects/walk.anal.c $chosen -o "$scratch/walk"
        "$ATOMC" --objects="$words" tests/data/comings.atd "$scratch/comings-$kind" -o "$scratch/instrumented"
        for way in loop stays "stays abort"; do
            test=atom/objects/$kind-${words%%,*}/${way// /-}
            # shellcheck disable=SC2086
            set -- ${way%% *} "${c}0.so" ${way#"${way%% *}"}
            run_program "$scratch/plain" comings "$scratch/comings-$kind" "" "" -L "$libraries" -- "$@"
            run_program "$scratch/run" comings "$scratch/walk" "" "" -L "$libraries" -- "$@"
            run_program "$scratch/other" comings "$scratch/instrumented" "" "" -L "$libraries" -- "$@"
            same_results "$test" "$scratch/plain" "$scratch/run" walk.out
            # Of the objects that this tool instruments.
            awk -F'\t' -v OFS='\t' 'FNR == NR { wanted[$1] = 1; next } FNR > 1 && $1 in wanted && $2 { print $1, $2, $3, $5 }' \
                "$scratch/run/files/walk.out" "$scratch/other/files/comings.out" >"$scratch/expected"
            if [ "$(wc -l <"$scratch/expected")" -ge 3 ] && diff "$scratch/expected" "$scratch/run/files/walk.out" >"$scratch/differences"; then
                passed "$test/counts"
            else
                failed "$test/counts" "not those of the other tool (<)" "$scratch/differences"
            fi
        done
    done
done

# ---- Instrument, -all, -incobj, -excobj

# looks TEST WORD... <EXPECTED: what each.inst.c says.
looks() {
    local test=atom/objects/$1
    shift
    cat >"$scratch/expected"
    if ! "$ATOMC" "$scratch/comings" $objects/each.inst.c $objects/each.anal.c "$@" -o "$scratch/each" >"$scratch/said" 2>&1; then
        failed "$test" "atomc failed" "$scratch/said"
    elif diff "$scratch/expected" "$scratch/said" >"$scratch/differences"; then
        passed "$test"
    else
        failed "$test" "says something else (>)" "$scratch/differences"
    fi
}
main="comings: needing others, standard, out each, has main host_throws"
between="libbetween.so: shared, standard, out none, has between"
libc="libc.so.6.1: shared, standard, out none, has puts"
others() {
    sed 's/^/lib/; s/$/: shared, standard, out none, has/'
}
{ echo "objects one, 1 to instrument" && echo "$main"; } | looks main
{ echo "objects one, 0 to instrument"; } | looks nothing -excobj comings
{ echo "objects few, 3 to instrument" && echo "$main" && echo "$between" && echo "come3.so: shared, symbolic, out none, has come_work"; } |
    looks plug-in -incobj libbetween -incobj "${c}3.so"
{
    echo "objects few, 2 to instrument"
    echo "$between"
    echo "come0.so: shared, standard, out none, has come_work"
} | looks left-out -incobj=libbetween.so -excobj "$scratch/comings" -incobj "${c}0.so"
run_program "$scratch/run" comings "$scratch/each" "" "" -L "$libraries" -- loop "${c}0.so"
if [ "$(sort "$scratch/run/stderr" | uniq -c | tr -s ' \n' ' ')" = " 30 comes 30 goes 60 works " ]; then
    passed atom/objects/calls
else
    failed atom/objects/calls "not 30 times, with two calls each" "$scratch/run/stderr"
fi
{
    echo "objects many, 0 to instrument"
    echo "$main"
    echo "ld-linux.so.2: shared, standard, out none, has"
    echo "$between"
    printf 'stdc++.so.6\ngcc_s.so.1\n' | others
    echo "$libc"
    echo m.so.6.1 | others
    echo "the C library is one of them"
} | looks all -all
{
    echo "objects many, 0 to instrument"
    echo "$main"
    echo "$between"
    echo gcc_s.so.1 | others
    echo m.so.6.1 | others
} | looks all-but -excobj ld-linux -all -excobj=libstdc++ -excobj libc
{ echo "objects few, 2 to instrument" && echo "$main" && echo "$between"; } | looks last-counts -excobj libbetween -incobj libbetween

# ---- wrong uses

"$ATOMC" "$scratch/comings" $objects/wrong.inst.c $objects/each.anal.c -excobj comings -incobj "${c}0.so" -o "$scratch/wrong" \
    >"$scratch/said" 2>&1 || true
if [ -e "$scratch/wrong" ] || ! diff $objects/wrong.expected "$scratch/said" >"$scratch/differences"; then
    failed atom/objects/wrong "says something else (>)" "$scratch/differences"
else
    passed atom/objects/wrong
fi
for word in "-incobj libnone" "-excobj libnone" "-excobj ./none.so" "-excobj $scratch/come0.so"; do
    # shellcheck disable=SC2086
    if ! "$ATOMC" "$scratch/comings" $objects/each.inst.c $objects/each.anal.c $word -o "$scratch/wrong" >"$scratch/said" 2>&1 &&
        grep -q "comings has no library called '${word#* }'" "$scratch/said" && [ ! -e "$scratch/wrong" ]; then
        passed "atom/objects/unknown/$(basename "${word#* }")"
    else
        failed "atom/objects/unknown" "no error for $word" "$scratch/said"
    fi
done
[ "$failures" = 0 ]
