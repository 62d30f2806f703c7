#!/bin/bash
# memcheck.sh: prints docs/internals/memcheck.md: what third and valgrind's memcheck find of the planted defects of tests/third. The status is 1 if
# memcheck finds one that third does not.
# Requires: run from the repository's root; ATOMC; valgrind; gcc and g++ for this machine and for Alpha. tests/run/tools_memcheck.sh
# holds docs/internals/memcheck.md against it.
set -eu
export LC_ALL=C
tests=$(pwd)/tests
folder=$(mktemp -d /tmp/XXXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
mapfile -t sources < <(find "$tests/third" -name '*.c' -o -name '*.cc' | sort)
cd "$folder"

levels="0 1 2 3"

# For Alpha one program for each level of optimization: each source's main is called by the number that the program is given.
calls=
alone=
for number in "${!sources[@]}"; do
    source=${sources[number]} compiler=gcc
    case $source in *.cc) compiler=g++ ;; esac
    mapfile -t options < <(sed -n 's|^/\* options: \(.*\) \*/|\1|p' "$source")
    for level in $levels; do
        # A source with instructions of Alpha's is nothing for memcheck.
        $compiler -g -w "${options[@]}" -O"$level" "$source" -o "host$number.$level" -pthread 2>/dev/null || continue
        alpha-linux-gnu-gcc -c -g -w "${options[@]}" -O"$level" "$source" -o "planted$number.$level.o"
        alpha-linux-gnu-objcopy --redefine-sym "main=planted$number" "planted$number.$level.o"
    done
    if [ -e "host$number.0" ]; then
        calls+="case $number: return planted$number(1, words); "
    else
        alone+=" $(basename "${source%.*}")"
    fi
done
echo "int atoi(const char *); int main(int count, char **words) { switch (atoi(words[1])) { $calls } }" >main.c
for level in $levels; do
    alpha-linux-gnu-g++ -O2 -Wl,--no-relax -static -x c main.c -x none -w planted*."$level".o -o "planted$level" -pthread
    "$ATOMC" -t third "planted$level" -o "instrumented$level" >log 2>&1 || { cat log >&2 && exit 2; }
done

# Lines WHO <tab> ERROR <tab> SOURCE:LINE; who: planted, or third or memcheck with the level.
for number in "${!sources[@]}"; do
    [ -e "host$number.0" ] || continue
    source=${sources[number]} name=$(basename "${sources[number]}")
    {
        awk '{ n = split($0, said, /[ ]*\/\/! */); for (i = 2; i <= n; i++) print "planted\t" said[i] "\t" NR }' "$source"
        for level in $levels; do
            rm -f third.out
            timeout -s KILL 600 "${QEMU:-qemu-alpha}" "instrumented$level" "$number" </dev/null >log 2>&1 || true
            awk -F'\t' -v level="$level" 'NR > 1 { sub(/.*:/, "", $3); print "third" level "\t" $1 "\t" $3 }' third.out
            timeout -s KILL 600 valgrind --track-origins=yes --leak-check=full "./host$number.$level" </dev/null >log 2>&1 || true
            awk -v FILE="$name" -f "$tests/third/memcheck.awk" log | sed "s/^/memcheck$level\t/"
        done
    } 2>/dev/null | sed "s/[0-9]*\$/$name:&/" | sort -u
done >found
awk -F'\t' 'NR == FNR { if ($1 == "planted") planted[$2, $3]; next } ($2, $3) in planted' found found >of_planted
by() { # WHO FILE
    awk -F'\t' -v who="$1" '$1 == who' "$2" | cut -f2,3 | sort
}
missed=$(comm -13 <(by third0 found) <(by memcheck0 found))

cat <<'END'
# third beside memcheck

<!-- Made by tests/third/memcheck.sh: `tests/third/memcheck.sh >docs/internals/memcheck.md`. -->

END
cat <<END
The planted defects of tests/third, compiled with -O0 to -O3 for Alpha and for the host, under [third](../tools.md#third) and under
$(valgrind --version | sed 's/-/ /')'s memcheck: how many each finds at the line where the defect is. What a compiler has optimized
away is there no more: a sum of unset values that nobody looks at, a block that is allocated, read and freed.

| error | planted | third -O0 | -O1 | -O2 | -O3 | memcheck -O0 | -O1 | -O2 | -O3 |
|---|---|---|---|---|---|---|---|---|---|
END
awk -F'\t' -v columns="planted third0 third1 third2 third3 memcheck0 memcheck1 memcheck2 memcheck3" '
    { n[$1, $2]++; errors[$2] }
    END { wide = split(columns, who, " "); for (error in errors) { line = error; for (i = 1; i <= wide; i++) line = line "\t" n[who[i], error] + 0; print line } }' of_planted |
    sort | awk -F'\t' '{ line = "| " $1; for (i = 2; i <= NF; i++) { line = line " | " $i; sum[i] += $i } print line " |" }
        END { line = "| **all**"; for (i = 2; i <= 10; i++) line = line " | " sum[i]; print line " |" }'
echo
for level in $levels; do
    only=$(comm -13 <(by "third$level" of_planted) <(by "memcheck$level" of_planted) | cut -f2 | paste -sd ' ')
    printf -- '- -O%s: third finds %s that memcheck does not find, memcheck %s that third does not find%s\n' "$level" \
        "$(comm -23 <(by "third$level" of_planted) <(by "memcheck$level" of_planted) | wc -l)" "$(wc -w <<<"$only")" "${only:+: $only}."
done
echo
if [ -z "$missed" ]; then
    echo "At -O0 memcheck reports nothing that third does not report."
else
    printf 'At -O0 memcheck reports what third does not:\n\n'
    sed 's/^/- /; s/\t/: /' <<<"$missed"
fi
cat <<'END'

read_after_realloc is no error on Alpha with optimization: the block behind is optimized away, so the C library's `realloc` lengthens
the block where it is; memcheck's own `realloc` moves each block.

memcheck reports an unset value when the program's behaviour depends on it: a sum or a comparison whose result is
only returned is none. third reports it where it is loaded.
END
[ -z "$alone" ] || printf '\nOnly for Alpha, since they contain its instructions:%s.\n' "$alone"
cat <<'END'

| what memcheck also has | third |
|---|---|
| possibly lost, still reachable | no: a block with a pointer into it is no leak, and what can be reached is not listed |
| definitely and indirectly lost | both are leaks |
| arguments of system calls | no: what the kernel reads and writes is taken for correct |
| values, bit by bit | byte by byte |
END
[ -z "$missed" ]
