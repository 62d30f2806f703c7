# atom_errors: C that runs while instrumenting: functions of expressions, crashes and misuse, errors of instrumentation files.
# UPDATE=1 tests/runner.sh quick atom_errors: writes the expected texts of the latter.
cp "$tests"/atom/{use,crashes,errors}/* .
export TMPDIR=$scratch/temporary
mkdir "$TMPDIR"
alpha work work.c -fno-inline -g

# Functions of expressions: loads that the next instruction waits for. Two loads in succession are no stall; a load
# before an addq is.
for words in "--trust pipe.atd" "-t prof pipe.atd --trust" "pipe.atd -t prof --trust"; do
    # shellcheck disable=SC2086
    instrument work.atom $words work
    qemu work.atom >found
    check "use-${words// /}" "sed -E 's/\/[0-9]+\//\/PC\//' found | diff pipe.expected -" work.atom.log
done
alpha-linux-gnu-objdump -d work | awk -f stalls.awk >expected
awk -F'\t' '$1 == "0x0" { sum += $2 } END { print sum }' found >stalls
same use-static expected stalls

instrument work.atom --trust truth.atd work
prints use-boolean qemu work.atom <<'END2'
Name
main
Not
END2

# complains TEST FOLDER WORD...: the messages of atomc are in tests/atom/FOLDER/TEST.expected, without parts that depend
# on the machine.
complains() {
    local test=$1 expected=$tests/atom/$2/$1.expected status=0
    shift 2
    rm -f work.atom
    timeout 1500 "$ATOMC" "$@" -o work.atom >found 2>&1 || status=$?
    # compilers differ in that line
    sed -i "s/0x[0-9a-f]*/0xPC/; s|$TMPDIR/[^:]*:|LIBRARY:|; s|\(at crash.inst.c\):[56]:|\1:LINE:|" found
    echo "exit status $status" >>found
    [ ! -e work.atom ] || echo "an output file is left" >>found
    [ -z "$(ls -A "$TMPDIR")" ] || echo "temporary files are left" >>found
    [ -z "${UPDATE:-}" ] || cp found "$expected"
    check "$test" "diff '$expected' found"
}
for function in bad_address in_library recursion ends aborts zero misuse many asks; do
    sed "s/FUNCTION/$function/" crashes.template >crashes.atd
    complains $function crashes --trust crashes.atd work
done
for file in "$tests"/atom/errors/*.inst.c; do
    complains "$(basename "$file" .inst.c)" errors work "${file##*/}" anal.c
done

# Without a host compiler; the Alpha one is there.
mkdir bin
ln -s "$(command -v alpha-linux-gnu-gcc)" "$(command -v rm)" bin
prints no-compiler bash -c 'PATH=bin "$ATOMC" work arguments.inst.c anal.c -o work.atom; echo "exit status $?"' <<'END'
atomc: error: cannot run the host's C compiler: install it (Debian packages gcc and g++)
exit status 1
END
