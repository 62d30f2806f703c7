#!/bin/bash
# hatch.sh: C that runs while instrumenting: functions of expressions, and errors of instrumentation files.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler and the host's; run from the repository's root. --update
# writes the expected texts.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
update=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch/temporary

# golden TEST EXPECTED FOUND
golden() {
    if [ "$update" = --update ]; then
        cp "$3" "$2"
    elif diff "$2" "$3" >"$scratch/difference" 2>&1; then
        passed "$1"
    else
        failed "$1" "not the text expected" "$scratch/difference"
    fi
}

# ---- functions of expressions: loads that the next instruction waits for, counted by hand in pipe.expected

mkdir "$scratch/use" "$TMPDIR"
cp tests/hatch/use/* "$scratch/use"
cd "$scratch/use"
alpha-linux-gnu-gcc -O2 -fno-inline -g -static -Wl,--no-relax work.c -o work
for order in "pipe.atd" "-t prof pipe.atd" "pipe.atd -t prof"; do
    # shellcheck disable=SC2086
    if "$ATOMC" $order work -o work.atom >log 2>&1 && "$QEMU" work.atom >found 2>&1; then
        # Two loads in a row are no stall: the one before an addq or the like is.
        alpha-linux-gnu-objdump -d work >code
        sed -E 's/\/[0-9]+\//\/PC\//' found >stable
        golden "hatch/use${order#pipe.atd}" "$repository/tests/hatch/use/pipe.expected" stable
    else
        failed "hatch/use" "it does not run" log
    fi
done
# The same by awk on objdump's text: loads into a register that the next instruction of the block names as a source.
awk '/<(main|sum)>:$/ { on = 1; next } /^$/ { on = 0 } on && /\tld[lq]\t/ { split($0, f, "\t"); sub(/,.*/, "", f[4]); want = f[4]; next }
    on && want != "" { split($0, f, "\t"); n = split(f[4], o, /[,()]/); k = f[3] ~ /^st|^b/ ? 1 : n > 1 ? n - 1 : 1
        hit = 0; for (i = 1; i <= n; i++) if (o[i] == want && (i < n || n == 1 || f[3] ~ /^(ld|st|b)/) && !(f[3] ~ /^ld/ && i == 1)) hit = 1
        count += hit; want = "" } END { print count + 0 }' code >by_awk
sed -n 's/^0x0\t\([0-9]*\)\t.*/\1/p' found | awk '{ sum += $1 } END { print sum + 0 }' >by_atomc
if cmp -s by_awk by_atomc; then
    passed hatch/use-static
else
    failed hatch/use-static "$(cat by_atomc) stalls, objdump shows $(cat by_awk)" found
fi

# ---- crashes and misuse are the user's

cp "$repository"/tests/hatch/crashes/* .
for function in bad_address in_library recursion ends aborts zero misuse many asks; do
    cat >crashes.atd <<END
tool crashes "x"
use int $function(Block) from "crashes.inst.c"
counter c
for b in blocks where b.id == 0 { before b c += $function(b) }
report "-" "c" c
END
    status=0
    rm -f work.atom
    timeout 30 "$ATOMC" crashes.atd work -o work.atom >found 2>&1 || status=$?
    sed -i 's/0x[0-9a-f]*/0xPC/' found
    echo "exit status $status" >>found
    [ ! -e work.atom ] || echo "an output file is left" >>found
    [ -z "$(ls -A "$TMPDIR")" ] || echo "temporary files are left" >>found
    golden "hatch/crash-$function" "$repository/tests/hatch/crashes/$function.expected" found
done
# ---- errors of instrumentation files, at their lines

cp "$repository"/tests/hatch/errors/*.c .
for file in "$repository"/tests/hatch/errors/*.inst.c; do
    name=$(basename "$file" .inst.c)
    status=0
    rm -f work.atom
    timeout 30 "$ATOMC" work "$name.inst.c" anal.c -o work.atom >found 2>&1 || status=$?
    sed -i "s/0x[0-9a-f]*/0xPC/; s|$TMPDIR/[^:]*:|LIBRARY:|" found
    echo "exit status $status" >>found
    [ ! -e work.atom ] || echo "an output file is left" >>found
    [ -z "$(ls -A "$TMPDIR")" ] || echo "temporary files are left" >>found
    golden "hatch/errors-$name" "$repository/tests/hatch/errors/$name.expected" found
done

# ---- without a host compiler; the Alpha one is there

mkdir bin
for tool in alpha-linux-gnu-gcc rm; do
    ln -s "$(command -v $tool)" bin
done
status=0
PATH=$scratch/use/bin "$ATOMC" work arguments.inst.c anal.c -o work.atom >found 2>&1 || status=$?
echo "exit status $status" >>found
echo "atomc: error: cannot run the host's C compiler: install it (Debian packages gcc and g++)
exit status 1" >expected
golden hatch/errors-no-compiler expected found
exit "$((failures > 0))"
