#!/bin/bash
# dynamic_objects.sh: objects of dynamic programs as places: what is done before and after them is done when the dynamic linker
# says that they come and go, as often as the program says; what each executes is what the oracle counts.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha with plugins; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
oracle=$BUILD/tests/oracle.so

# shellcheck source=tests/run/comings.lib
. tests/run/comings.lib
plug_ins=$scratch/come0.so,$scratch/come1.so,$scratch/come2.so,$scratch/come3.so,$scratch/missing.so
c=$scratch/come

# What the dynamic linker says with LD_DEBUG=files: "+ NAME BASE" for each library that it loads, "- NAME" for each that it
# unloads. Only of libraries that are instrumented: those in the file of names.
linker_events() { # LOG NAMES
    awk 'FNR == NR { wanted[$1] = 1; next }
        function name(text) { sub(/.*file=/, "", text); sub(/ .*/, "", text); sub(/.*\//, "", text); return text }
        /generating link map/ { loaded = name($0) }
        /base: 0x/ && loaded {
            sub(/.*base: 0x0*/, ""); sub(/ .*/, "")
            if (loaded in wanted) print "+ " loaded " " $0
            loaded = ""
        }
        /destroying link map/ { loaded = name($0); if (loaded in wanted) print "- " loaded; loaded = "" }' "$2" "$1"
}
# The same of what the tool says. The dynamic linker says nothing of itself and the program.
tool_events() { # LOG
    awk '/^\+ (comings|ld-linux)/ { next } /^\+ / { print "+ " $2 " " $3 } /^- / { print "- " $2 }' "$1"
}
# Those that are there when the program has ended, the last that came first, then the program.
last_events() { # LOG, whose events are these; EVENTS before that
    awk 'FNR == NR && $1 == "+" { order[++count] = $2; there[$2] = count }
        FNR == NR { next }
        $1 == "-" { delete there[$2] }
        END { for (i = count; i > 0; i--) if (order[i] in there && there[order[i]] == i) print "- " order[i] }' "$1" "$2"
}

# try TEST OBJECTS KIND COMINGS WAY...: come0.so comes so often.
try() {
    local test=$1/$5 objects=$2 kind=$3 comings=$4 run=$scratch/run
    [ "${7:-}" != abort ] || test=$test-abort
    shift 4
    run_program "$scratch/plain" comings "$scratch/comings-$kind" "" "" -L "$libraries" -- "$@"
    run_program "$run" comings "$scratch/instrumented-$objects-$kind" "" "" -L "$libraries" -E LD_DEBUG=files -- "$@"
    if ! cmp -s "$scratch/plain/stdout" "$run/stdout" || ! cmp -s "$scratch/plain/status" "$run/status"; then
        diff "$scratch/plain/stdout" "$run/stdout" >"$scratch/differences" || true
        failed "$test" "the program does something else" "$scratch/differences"
        return
    fi
    awk -F'\t' 'NR > 1 && $10 == 1 { print $1 }' "$run/files/comings.out" >"$scratch/names"
    linker_events "$run/stderr" "$scratch/names" >"$scratch/linker"
    last_events <(grep '^+ ' "$run/stderr") "$scratch/linker" >"$scratch/last"
    tool_events "$run/stderr" >"$scratch/tool"
    if ! cat "$scratch/linker" "$scratch/last" | diff - "$scratch/tool" >"$scratch/differences" || ! [ -s "$scratch/linker" ]; then
        failed "$test/linker" "not what the dynamic linker says (<)" "$scratch/differences"
    elif grep -E 'twice|is not there' "$run/stderr" >"$scratch/differences"; then
        failed "$test/order" "something is executed before it comes or after it goes" "$scratch/differences"
    elif [ "$(tail -n 1 "$run/stderr")" != "the program ends" ]; then
        failed "$test/order" "the end is not the program's"
    elif ! awk -F'\t' -v comings="$comings" '
        NR > 1 && ($2 != $3 || ($1 == "come0.so" && $2 != comings) || ($2 > 0 && $1 != "missing.so") != ($5 > 0)) {
            print
            bad = 1
        }
        END { exit bad || NR < 2 }' "$run/files/comings.out" >"$scratch/differences"; then
        failed "$test/counts" "comings, goings and instructions" "$scratch/differences"
    else
        passed "$test"
    fi
}

# What the oracle counts in each object of the uninstrumented program, held against comings.out. What is in none of those that
# the program begins with is in the plug-in.
try_counts() { # TEST OUTPUT WAY...
    local test=$1 output=$2 program=$scratch/comings-dynamic range text
    shift 2
    for range in own libraries; do
        text=
        [ $range = own ] || text=,text=4000800000-4003800000
        rm -f "$scratch/oracle"*
        run_program "$scratch/counted" comings "$program" "" "" -L "$libraries" -singlestep -plugin \
            "$oracle,out=$scratch/oracle,cache=on,registers=on$text" -- "$@"
        cp "$scratch/oracle" "$scratch/$range"
    done
    { echo "comings-dynamic 120000000" && library_bases "$program"; } >"$scratch/bases"
    awk -F'\t' "$hexadecimal"'
        FILENAME == ARGV[1] {
            split($0, word, " ")
            sub(/.*\//, "", word[1])
            begin[++objects] = number(word[2])
            name[objects] = word[1]
            next
        }
        FILENAME == ARGV[2] {
            if (FNR == 1) next
            for (i = 1; i <= objects; i++)
                if (name[i] == $1) {
                    end[i] = begin[i] + number($8) + $9 - (i == 1 ? begin[1] : number($7))
                    found[$1] = $5
                }
            if ($11 == 1 && $2 > 0) { plug_in = $1; found[$1] = $5 }
            next
        }
        /^0x/ {
            pc = number($1)
            best = plug_in
            for (i = 1; i <= objects; i++) if (begin[i] <= pc && pc < end[i]) best = name[i]
            sum[best] += $3
        }
        END {
            for (object in found) {
                if (found[object] != sum[object]) { print "< " object " " sum[object] " > " found[object]; bad = 1 }
                all += sum[object]
            }
            exit bad || all < 100000
        }' "$scratch/bases" "$output" "$scratch/own" "$scratch/libraries" >"$scratch/differences" || {
        failed "$test" "not the oracle's (<)" "$scratch/differences"
        return
    }
    passed "$test"
}

for kind in dynamic pie; do
    program=$scratch/comings-$kind
    "$ATOMC" --objects="main,$plug_ins" tests/data/comings.atd "$program" -o "$scratch/instrumented-some-$kind"
    "$ATOMC" --objects="all,$plug_ins" tests/data/comings.atd "$program" -o "$scratch/instrumented-all-$kind"
    for objects in some all; do
        test=dynamic/objects/$objects-$kind
        try "$test" $objects $kind 30 loop "$c"0.so
        try "$test" $objects $kind 20 threads "$c"0.so "$c"1.so "$c"2.so "$c"3.so
        try "$test" $objects $kind 0 missing "$scratch/missing.so"
        try "$test" $objects $kind 1 stays "$c"0.so
        try "$test" $objects $kind 1 stays "$c"0.so abort
    done
done
# Only a library: the program is an object all the same, and nothing is done there.
"$ATOMC" --objects="libbetween,$c"0.so tests/data/comings.atd "$scratch/comings-dynamic" -o "$scratch/instrumented"
run_program "$scratch/run" comings "$scratch/instrumented" "" "" -L "$libraries" -- loop "$c"0.so
if cut -f1-3,6,12 "$scratch/run/files/comings.out" | tail -n +2 | diff - <(
    printf 'comings-dynamic\t0\t0\t0\t1\nlibbetween.so\t1\t1\t0\t0\ncome0.so\t30\t30\t300\t0\n') >"$scratch/differences"; then
    passed dynamic/objects/left-out
else
    failed dynamic/objects/left-out "not what is wanted (>)" "$scratch/differences"
fi
run_program "$scratch/run" comings "$scratch/instrumented-all-dynamic" "" "" -L "$libraries" -- loop "$c"0.so
cp "$scratch/run/files/comings.out" "$scratch/loop"
# Counters of every kind; derived or not, alone or with another tool.
for options in "" "--no-placement" "-t prof"; do
    # shellcheck disable=SC2086
    "$ATOMC" --objects="main,$c"0.so tests/data/comings_mixed.atd $options "$scratch/comings-dynamic" -o "$scratch/instrumented"
    run_program "$scratch/run" comings "$scratch/instrumented" "" "" -L "$libraries" -- loop "$c"0.so
    executed=$(awk -F'\t' '$1 ~ /^comings-/ || $1 == "come0.so" { sum += $5 } END { print sum }' "$scratch/loop")
    {
        echo "$((executed + 31 * 101000)) $executed 1 0 1 100"
        printf '0 1\n1 30\ncomings-dynamic 11\ncome0.so 330\n'
    } >"$scratch/expected"
    if diff "$scratch/expected" "$scratch/run/files/mixed.out" >"$scratch/differences"; then
        passed "dynamic/objects/mixed${options// /}"
    else
        failed "dynamic/objects/mixed${options// /}" "not what is wanted (<)" "$scratch/differences"
    fi
done
for way in "loop $c"0.so "stays $c"0.so "missing $scratch/missing.so"; do
    # shellcheck disable=SC2086
    run_program "$scratch/run" comings "$scratch/instrumented-all-dynamic" "" "" -L "$libraries" -- $way
    # shellcheck disable=SC2086
    try_counts "dynamic/objects/counts/${way%% *}" "$scratch/run/files/comings.out" $way
done
[ "$failures" = 0 ]
