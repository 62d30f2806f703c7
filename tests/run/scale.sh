#!/bin/bash
# scale.sh: large programs behave as they do plain: generated ones of many MB of text under prof and cache (the
# checksum over all procedures, and prof's total against the emulator's count), thousands of sections, huge bss.
# Requires: atomc (ATOMC), build/bench/plugins/count.so, the Alpha cross compiler, qemu-alpha; run from the repository's
# root. SCALE_KB: sizes of text; default 1000. `make scale` runs 1, 10 and 100 MB, which takes 4 GB of disk for a while.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=$BUILD/bench/plugins/count.so

# run PROGRAM [QEMU_OPTION...]: always under one name and path, to PROGRAM.said; its status goes there too
run() {
    local program=$1 status=0
    shift
    mkdir -p "$scratch/bin"
    cp "$scratch/$program" "$scratch/bin/program"
    { (cd "$scratch" && env -i timeout -s KILL 600 "$(command -v "$QEMU")" -seed 1 "$@" bin/program) \
        >"$scratch/$program.said" 2>&1 || status=$?; } 2>/dev/null
    echo "status $status" >>"$scratch/$program.said"
}

# same_run TEST PROGRAM: as plain
same_run() {
    run "$2"
    if cmp -s "$scratch/plain.said" "$scratch/$2.said"; then
        return
    fi
    failed "$1" "does not behave as the program itself" "$scratch/$2.said"
    false
}

for kilobytes in ${SCALE_KB-1000}; do
    name=scale/$kilobytes-KB
    bench/generate.sh "$kilobytes" "$scratch/plain"
    run plain -plugin "$count,out=$scratch/count.txt"
    instructions=$(cat "$scratch/count.txt")
    if ! grep -q '^status 0$' "$scratch/plain.said" || [ "$(wc -c <"$scratch/plain.said")" -lt 11 ]; then
        failed "$name" "the program itself fails" "$scratch/plain.said"
        continue
    fi
    for tool in prof cache; do
        SECONDS=0
        if ! "$ATOMC" -t $tool "$scratch/plain" -o "$scratch/$tool" >"$scratch/log" 2>&1; then
            failed "$name/$tool" "atomc fails" "$scratch/log"
            continue
        fi
        seconds=$SECONDS
        same_run "$name/$tool" $tool || continue
        if [ $tool = prof ]; then
            total=$(awk -F'\t' '/^0x/ { sum += $2 } END { printf "%d", sum }' "$scratch/prof.out")
            if [ "$total" != "$instructions" ]; then
                failed "$name/$tool" "counts $total instructions, the emulator $instructions"
                continue
            fi
        fi
        text=$(alpha-linux-gnu-size -A "$scratch/plain" | awk '$1 == ".text" { print $2 }')
        passed "$name/$tool ($text bytes of text, rewritten in $seconds s, checksum $(head -n 1 "$scratch/plain.said"), $instructions instructions)"
        rm "$scratch/$tool"
    done
done

# ---- thousands of sections -------------------------------------------------------------------------------------
awk 'BEGIN {
    for (i = 0; i < 6000; i++) printf "__attribute__((section(\".text.part%d\"), noinline)) long part%d(long a) { return a * %d + %d; }\n", i, i, i % 7 + 3, i
    print "#include <stdio.h>\nint main(void) { long sum = 0;"
    for (i = 0; i < 6000; i++) printf "sum += part%d(sum & 1023);\n", i
    print "printf(\"%ld\\n\", sum); return 0; }"
}' >"$scratch/sections.c"
alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax '-Wl,--unique=.text.part*' "$scratch/sections.c" -o "$scratch/plain"
sections=$(alpha-linux-gnu-readelf -hW "$scratch/plain" | awk '/Number of section headers/ { print $NF }')
run plain -plugin "$count,out=$scratch/count.txt"
instructions=$(cat "$scratch/count.txt")
if [ "$sections" -lt 6000 ]; then
    failed scale/sections "only $sections sections"
elif "$ATOMC" -t prof "$scratch/plain" -o "$scratch/prof" >"$scratch/log" 2>&1 && same_run scale/sections prof; then
    total=$(awk -F'\t' '/^0x/ { sum += $2 } END { printf "%d", sum }' "$scratch/prof.out")
    if [ "$total" = "$instructions" ] && alpha-linux-gnu-readelf -SW "$scratch/prof" 2>&1 >/dev/null | cmp -s - /dev/null; then
        passed "scale/sections ($sections sections)"
    else
        failed scale/sections "counts $total instructions, the emulator $instructions"
    fi
else
    failed scale/sections "atomc or the program fails" "$scratch/log"
fi

# ---- huge bss -----------------------------------------------------------------------------------------------------
# The linker has no room for it beside the C library's, which is addressed from $29: the last segment is made longer.
cat >"$scratch/bss.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern char _end[];
int main(void) {
    char *begin = _end, *end = (char *)sbrk(0);
    long sum = 0, size = 0;
    for (char *at = begin; at < end - (1L << 20); at += 1L << 26, size++)
        *at = (char)size;
    for (char *at = begin; at < end - (1L << 20); at += 1L << 26)
        sum += *at;
    printf("%p %ld %ld %p\n", (void *)begin, size, sum, malloc(1000));
    return 0;
}
END
alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax "$scratch/bss.c" -o "$scratch/small"
# Of the last PT_LOAD: where its size in memory stands in the file.
last=$(alpha-linux-gnu-readelf -lW "$scratch/small" | awk '/^  [A-Z_]+ .*0x/ { n++; if ($1 == "LOAD") last = n } END { print last - 1 }')
for gigabytes in 8 70; do
    cp "$scratch/small" "$scratch/plain"
    printf "$(printf '%016x' $((gigabytes << 30)) | sed 's/../\\x&\n/g' | tac | tr -d '\n')" |
        dd of="$scratch/plain" bs=1 seek=$((64 + 56 * last + 40)) conv=notrunc status=none
    for tool in prof cache; do
        test=scale/bss-$gigabytes-GB/$tool
        status=0
        "$ATOMC" -t $tool "$scratch/plain" -o "$scratch/$tool" >"$scratch/log" 2>&1 || status=$?
        if [ $gigabytes = 70 ]; then # where the analysis side's heap is to be: that is said
            if [ $status = 1 ] && [ "$(wc -l <"$scratch/log")" = 1 ] && grep -q heap "$scratch/log"; then
                passed "$test (refused)"
            else
                failed "$test" "not refused with a message" "$scratch/log"
            fi
        elif [ $status != 0 ]; then
            failed "$test" "atomc fails" "$scratch/log"
        else
            run plain
            if same_run "$test" $tool; then passed "$test ($(head -n 1 "$scratch/plain.said"))"; fi
        fi
    done
done
[ "$failures" = 0 ]
