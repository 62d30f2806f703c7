#!/bin/bash
# memcheck.sh: prints docs/memcheck.md: what third and valgrind's memcheck find of the planted defects of tests/third. The status is 1 if
# memcheck finds one that third does not.
# Requires: run from the repository's root; ATOMC; valgrind; gcc and g++ for this machine and for Alpha. tests/run/tools_memcheck.sh
# holds docs/memcheck.md against it.
set -eu
export LC_ALL=C
tests=$(pwd)/tests
folder=$(mktemp -d /tmp/XXXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
mapfile -t sources < <(find "$tests/third" -name '*.c' -o -name '*.cc' | sort)
cd "$folder"

# For Alpha one program: each source's main is called by the number that the program is given.
calls=
alone=
for number in "${!sources[@]}"; do
    source=${sources[number]} compiler=gcc
    case $source in *.cc) compiler=g++ ;; esac
    mapfile -t options < <(sed -n 's|^/\* options: \(.*\) \*/|\1|p' "$source")
    # A source with instructions of Alpha's is nothing for memcheck.
    if ! $compiler -O0 -g -w "${options[@]}" "$source" -o "host$number" -pthread 2>/dev/null; then
        alone+=" $(basename "${source%.*}")"
        continue
    fi
    alpha-linux-gnu-gcc -c -O0 -g -w "${options[@]}" "$source" -o "planted$number.o"
    alpha-linux-gnu-objcopy --redefine-sym "main=planted$number" "planted$number.o"
    calls+="case $number: return planted$number(1, words); "
done
echo "int atoi(const char *); int main(int count, char **words) { switch (atoi(words[1])) { $calls } }" >main.c
alpha-linux-gnu-g++ -O2 -Wl,--no-relax -static -x c main.c -x none -w planted*.o -o planted -pthread
"$ATOMC" -t third planted -o instrumented >log 2>&1 || { cat log >&2 && exit 2; }

# Lines WHO <tab> ERROR <tab> SOURCE:LINE; who: planted, third or memcheck.
for number in "${!sources[@]}"; do
    [ -e "host$number" ] || continue
    source=${sources[number]} name=$(basename "${sources[number]}")
    {
        awk '{ n = split($0, said, /[ ]*\/\/! */); for (i = 2; i <= n; i++) print "planted\t" said[i] "\t" NR }' "$source"
        rm -f third.out
        timeout -s KILL 60 "${QEMU:-qemu-alpha}" instrumented "$number" </dev/null >log 2>&1 || true
        awk -F'\t' 'NR > 1 { sub(/.*:/, "", $3); print "third\t" $1 "\t" $3 }' third.out
        timeout -s KILL 120 valgrind --track-origins=yes --leak-check=full "./host$number" </dev/null >log 2>&1 || true
        awk -v FILE="$name" -f "$tests/third/memcheck.awk" log | sed 's/^/memcheck\t/'
    } 2>/dev/null | sed "s/[0-9]*\$/$name:&/" | sort -u
done >found
awk -F'\t' '$1 == "memcheck"' found | cut -f2,3 | sort >memcheck
awk -F'\t' '$1 == "third"' found | cut -f2,3 | sort >third
missed=$(comm -13 third memcheck)

cat <<'END'
# third beside memcheck

<!-- Made by tests/third/memcheck.sh: `tests/third/memcheck.sh >docs/memcheck.md`. -->

END
cat <<END
The planted defects of tests/third, compiled with -O0 for Alpha and for the host, under [third](tools.md#third) and under
$(valgrind --version | sed 's/-/ /')'s memcheck. A defect is an error that is expected at a source line.

| error | planted | third finds | memcheck finds |
|---|---|---|---|
END
awk -F'\t' '{ n[$1, $2]++; errors[$2] } END { for (error in errors) print error "\t" n["planted", error] + 0 "\t" n["third", error] + 0 "\t" n["memcheck", error] + 0 }' found |
    sort | awk -F'\t' '{ print "| " $1 " | " $2 " | " $3 " | " $4 " |"; for (i = 2; i <= 4; i++) sum[i] += $i }
        END { print "| **all** | " sum[2] " | " sum[3] " | " sum[4] " |" }'
echo
if [ -z "$missed" ]; then
    echo "memcheck finds nothing that third does not find."
else
    printf 'memcheck finds what third does not:\n\n'
    sed 's/^/- /; s/\t/: /' <<<"$missed"
fi
cat <<'END'

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
