#!/bin/bash
# dynamic_constructors.sh: what libraries execute before the program's entry and after its exit is counted, in the order in which it
# happens, by analysis code that needs its C library from the beginning.
# Requires: atomc (ATOMC), the Alpha cross compiler and libraries, qemu-alpha with plugins; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
oracle=$BUILD/tests/oracle.so

alpha-linux-gnu-gcc -O2 -fPIC -shared -Wl,--no-relax -Wl,-init,early_init -Wl,-fini,early_fini tests/data/early.c \
    -o "$scratch/libearly.so"
for kind in dynamic pie; do
    options=(-fno-pie -no-pie)
    [ $kind = dynamic ] || options=(-fPIE -pie)
    alpha-linux-gnu-gcc -O2 "${options[@]}" -Wl,--no-relax tests/data/late.c -o "$scratch/late-$kind" -L"$scratch" -learly \
        -Wl,-rpath,"$scratch"
done

# What the sources do, in order: late.c, early.c.
expected_log() { # KIND LEFT-TO-EXIT
    printf 'program\n+ late-%s\n+ libearly.so\n' "$1"
    printf 'main 1 0.5\ninit 2 1.0\nfirst 7 3.5\nsecond 5 2.5\nmain 18 9.0\n'
    [ "$2" = 0 ] || printf 'exit 11 5.5\nmain 1 0.5\nlast 13 6.5\nfini 3 1.5\n'
    printf -- '- libearly.so\n- late-%s\nend\n' "$1"
}

# What the oracle counts in each object of the uninstrumented program, where it is loaded: the one that begins before it.
expected_counts() { # KIND WORD...
    local program=$scratch/late-$1 main=120000000 range text
    [ "$1" = dynamic ] || main=4000000000
    shift
    for range in own libraries; do
        text=
        [ $range = own ] || text=,text=4000800000-4003800000
        rm -f "$scratch/oracle"
        run_program "$scratch/counted" late "$program" "" "" -L "$libraries" -singlestep -plugin \
            "$oracle,out=$scratch/oracle,cache=on,registers=on$text" -- "$@"
        cp "$scratch/oracle" "$scratch/$range"
    done
    { echo "$(basename "$program") $main" && library_bases "$program"; } >"$scratch/bases"
    awk -F'\t' "$hexadecimal"'
        FILENAME == ARGV[1] {
            split($0, word, " ")
            sub(/.*\//, "", word[1])
            begin[++objects] = number(word[2])
            name[objects] = word[1]
            next
        }
        /^0x/ {
            pc = number($1)
            best = 0
            for (i = 1; i <= objects; i++) if (begin[i] <= pc && (!best || begin[best] < begin[i])) best = i
            sum[best] += $3
        }
        END { for (i = 1; i <= objects; i++) print name[i] "\t" sum[i] }' "$scratch/bases" "$scratch/own" "$scratch/libraries" | sort
}

for kind in dynamic pie; do
    "$ATOMC" --objects=main,libearly tests/data/early.atd "$scratch/late-$kind" -o "$scratch/some"
    "$ATOMC" --objects=all tests/data/early.atd "$scratch/late-$kind" -o "$scratch/all"
    for end in exit _exit; do
        words=()
        [ $end = exit ] || words=(x)
        run_program "$scratch/plain" late "$scratch/late-$kind" "" "" -L "$libraries" -- "${words[@]}"
        for objects in some all; do
            test=dynamic/constructors/$objects-$kind/$end
            run_program "$scratch/run" late "$scratch/$objects" "" "" -L "$libraries" -- "${words[@]}"
            same_results "$test" "$scratch/plain" "$scratch/run" early.log early.out calls.out
            calls=61
            [ $end = exit ] || calls=33
            grep -v -E '^[+-] (ld-|libc)' "$scratch/run/files/early.log" >"$scratch/log" || true
            if expected_log $kind $((calls - 33)) | diff - "$scratch/log" >"$scratch/differences" &&
                [ "$(cat "$scratch/run/files/calls.out")" = $calls ]; then
                passed "$test/order"
            else
                failed "$test/order" "not what the sources say (<)" "$scratch/differences"
            fi
        done
        expected_counts $kind "${words[@]}" >"$scratch/expected"
        if tail -n +2 "$scratch/run/files/early.out" | sort | diff "$scratch/expected" - >"$scratch/differences"; then
            passed "$test/counts"
        else
            failed "$test/counts" "not the oracle's (<)" "$scratch/differences"
        fi
    done
done

# A library that the program does not know of: it is loaded before it because the environment says so.
alpha-linux-gnu-gcc -O2 -no-pie -Wl,--no-relax -x c - -o "$scratch/nothing" <<<'int main(void) { return 9; }'
"$ATOMC" --objects="main,$scratch/libearly.so" tests/data/early.atd "$scratch/nothing" -o "$scratch/instrumented"
run_program "$scratch/run" nothing "$scratch/instrumented" "" "" -L "$libraries" -E LD_PRELOAD="$scratch/libearly.so" --
printf 'program\n+ nothing\n+ libearly.so\ninit 2 1.0\nfirst 7 3.5\nsecond 5 2.5\nlast 13 6.5\nfini 3 1.5\n- libearly.so\n- nothing\nend\n' \
    >"$scratch/expected"
if diff "$scratch/expected" "$scratch/run/files/early.log" >"$scratch/differences" && [ "$(cat "$scratch/run/status")" = 9 ]; then
    passed dynamic/constructors/preloaded
else
    failed dynamic/constructors/preloaded "not what the sources say (<)" "$scratch/differences"
fi
[ "$failures" = 0 ]
