#!/bin/bash
# atom_command.sh: ATOM's command line: kinds of files, options, descriptions of tools.
# Requires: atomc (ATOMC), the Alpha cross compiler and the host's, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/command/* "$scratch"
include=$repository/include
cd "$scratch"
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax program.c -o program
cat words.c joined.c >one.c

# prints TEST EXPECTED WORD...: instruments with the words, which name no output; what the program prints then, without its own
# first line, and its exit status.
prints() {
    local test=$1 expected=$2 status=0
    shift 2
    rm -f program.*
    if ! "$ATOMC" program "$@" >log 2>&1; then
        failed "command/$test" "atomc failed" log
        return
    fi
    { "$QEMU" program.* >found 2>&1 || status=$?; } 2>/dev/null
    sed -i '/^1$/d; /^kinds/d' found
    if [ -s log ]; then
        failed "command/$test" "atomc says something" log
    elif [ "$(cat found)" = "$expected" ] && [ $status = 3 ]; then
        passed "command/$test"
    else
        failed "command/$test" "not what is expected" found
    fi
}
# fails TEST PATTERN WORD...: an error that says so, and no output.
fails() {
    local test=$1 pattern=$2 status=0
    shift 2
    rm -f program.*
    timeout 30 "$ATOMC" "$@" >log 2>&1 || status=$?
    if [ $status = 1 ] && grep -q -e "$pattern" log && ! ls program.* >/dev/null 2>&1; then
        passed "command/$test"
    else
        failed "command/$test" "no such error" log
    fi
}
heap="base 1000000000"
said() { # WORDS [OBJECTS]
    echo "words $1, main 2, objects ${2:-11}, heap there"
    echo "$heap"
}

# ---- files: instrumentation code for this machine, analysis code for Alpha

gcc -std=gnu89 -w -fPIC -I"$include" -c one.c -o one.o
gcc -std=gnu89 -w -fPIC -I"$include" -c words.c -o words.o
gcc -std=gnu89 -w -fPIC -c joined.c -o joined.o
ar rc both.a words.o joined.o
cp one.o other.inst.o
cp both.a other.inst.a
alpha-linux-gnu-gcc -std=gnu89 -w -O2 -I"$include" -c main.c -o main.o
alpha-linux-gnu-gcc -std=gnu89 -w -O2 -c twice.c -o twice.o
alpha-linux-gnu-ar rc twice.a twice.o
for inst in one.c words.cpp one.o both.a other.inst.o other.inst.a; do
    prints "inst-$inst" "$(said '[a] [b c]')" "$inst" main.c twice.c "-toolargs=a 'b c'"
done
for anal in "main.o twice.o" "main.c twice.a" "main.cpp" "main.cpp twice.c"; do
    # shellcheck disable=SC2086
    prints "anal-${anal// /-}" "$(said '[a]')" one.c $anal -toolargs=a
done
prints kinds "$(said '')" words.cpp main.o twice.o
grep -q . found && "$QEMU" program.atom >found || true
printf '%s\n' 1 'kinds 99 -1 1099511627776 ab 3 7 0' 'kinds 1 -1 -1 ab 3 11 0' >expected
head -n 3 found | sort >b && sort expected >a
if cmp -s a b; then passed command/kinds-in-c++; else failed command/kinds-in-c++ "other arguments" found; fi

# ---- options

prints taken "$(said '')" one.c main.c twice.c -g -debug -w0 -w1 -w2 -all -A1 -pthread -fork -Xthreads
prints incobj "$(said '')" one.c main.c twice.c -incobj program
prints excobj "$(said '' 0 | sed 's/main 2/main 0/')" one.c main.c twice.c -excobj ./program -excobj program
prints excobj-incobj "$(said '')" one.c main.c twice.c -excobj program -incobj=program
fails incobj-unknown "-incobj: the program has no object 'libc.so': a static program is one, 'program'" program one.c main.c twice.c -incobj libc.so
fails excobj-unknown "-excobj: the program has no object 'libm.so'" program one.c main.c twice.c -excobj=libm.so
fails excobj-none "-excobj needs the name of an object" program one.c main.c twice.c -excobj
fails excobj-description "-excobj is for instrumentation code in C" -t prof program -excobj program
for heap in 3000000000 0x2800000000 2200000000; do
    base=$heap
    heap="base ${base#0x}"
    prints "heapbase-$base" "$(said '')" one.c main.c twice.c -heapbase "$base"
done
# Behind the program and 4 GB for its own heap.
heap="base $(printf '%x' $((((16#$(alpha-linux-gnu-nm program | awk '$3 == "_end" { print $1 }') + (1 << 32) + 65535) >> 16) << 16)))"
prints heapbase-progend "$(said '')" one.c main.c twice.c -heapbase progend
heap="base 1000000000"
fails heapbase-word "-heapbase somewhere: it is a hexadecimal address, or progend" program one.c main.c -heapbase somewhere
fails heapbase-taken "program: the analysis code's heap cannot begin at 0x120000000: 32 GB from there are not free" program one.c main.c twice.c -heapbase 120000000
fails heapbase-odd "at 0x3000000010: it has to be a multiple of 0x10000" program one.c main.c twice.c -heapbase 3000000010

# ---- descriptions

mkdir -p tools/sub more
mv words.c joined.c main.c twice.c tools
cat >tools/mine.desc <<'END'
# a tool of two files on each side

INST_FILE words.c \
    joined.c
ANAL_FILE main.c sub/../twice.c
ATOM_DEF -toolargs="of the" -heapbase 2200000000
END
printf 'INST_FILE %s/tools/words.c joined.o\nANAL_FILE ../tools/main.c ../tools/twice.c\nATOM_DEF -toolargs=def\nATOM_REQ -toolargs=required\n' "$scratch" >more/mine.strict.desc
cp joined.o more
export ATOMTOOLPATH=$scratch/none:$scratch/more:$scratch/tools
heap="base 2200000000"
prints described "$(said '[of] [the]')" -tool mine
[ -e program.mine ] || failed command/described-output "the output is not called PROGRAM.TOOL"
prints described-overridden "$(said '[x]')" -tool mine -toolargs=x
heap="base 3000000000"
prints described-heap "$(said '[of] [the]')" -tool=mine -heapbase 3000000000
heap="base 1000000000"
prints described-environment "$(said '[required]')" -env strict -toolargs=x -tool mine
printf 'INST_FILE words.c joined.c\nANAL_FILE main.c twice.c\nINST_LDFLAGS -Wl,--defsym=joined=other -Lnowhere\nANAL_LDFLAGS -Wl,--defsym=twice=thrice\n' >tools/linked.desc
echo 'char *other() { return "linked"; }' >>tools/joined.c && sed -i 's/^char \*joined/char *unused/' tools/joined.c
echo 'long thrice(n) long n; { return 3 * n; }' >>tools/twice.c && sed -i 's/^long twice/long unused/' tools/twice.c
prints described-linked "words linked, main 3, objects 11, heap there
$heap" -tool linked
fails described-unknown "there is no tool 'min': neither min.desc in the built-in directory or one of ATOMTOOLPATH nor a stock tool" program -tool min
fails described-no-environment "there is no tool 'mine': neither mine.lax.desc in" program -tool mine -env lax
fails environment-alone "-env goes with -tool" program one.c -env lax
fails tool-twice "-tool is given twice" program -tool mine -tool linked
printf 'INST_FILE words.c\nINST_FILE joined.c\n' >tools/twice.desc
fails described-twice "twice.desc:2:1: error: INST_FILE stands twice in the description" program -tool twice
echo 'ANAL_FILE main.c' >tools/nothing.desc
fails described-nothing "nothing.desc: the description has no INST_FILE" program -tool nothing
{ echo 'WHAT is this' && cat tools/mine.desc; } >tools/odd.desc
sed -i 's/^char \*unused/char *joined/' tools/joined.c && sed -i 's/^long unused/long twice/' tools/twice.c
if "$ATOMC" program -tool odd >log 2>&1 && grep -q 'odd.desc:1:1: warning: no line of a description' log && [ -e program.odd ]; then
    passed command/described-unknown-line
else
    failed command/described-unknown-line "no warning" log
fi
rm -f program.*
if "$ATOMC" program -tool prof >log 2>&1 && "$QEMU" program.prof >found; [ -s prof.out ]; then
    passed command/stock-tool
else
    failed command/stock-tool "no profile" log
fi
exit "$((failures > 0))"
