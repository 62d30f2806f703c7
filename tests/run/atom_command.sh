# atom_command: ATOM's command line: kinds of files, options, descriptions of tools.
cp -r "$tests"/atom/command/* .
alpha program program.c
cat words.c joined.c >one.c
gcc -std=gnu89 -w -fPIC -I"$top/atom/include" -c one.c words.c joined.c
alpha-linux-gnu-gcc -std=gnu89 -w -O2 -I"$top/atom/include" -c main.c twice.c
ar rc both.a words.o joined.o
alpha-linux-gnu-ar rc twice.a twice.o
cp one.o other.inst.o
cp both.a other.inst.a
mkdir tools/sub
cp words.c joined.c main.c twice.c tools
cp joined.o more
sed -i "s|@FOLDER@|$scratch|" more/mine.strict.desc
export ATOMTOOLPATH=$scratch/none:$scratch/more:$scratch/tools

# says TEST WORDS SAID [BASE [OBJECTS [MAIN]]]: instruments with the words, which name no output, without a message. The
# program then prints the words of -toolargs, the base of the heap, objects and the arguments of main, between lines of
# its own.
says() {
    printf 'words %s, main %d, objects %d, heap there\nbase %s\nexit status 3\n' "$3" "${6:-2}" "${5:-11}" \
        "${4:-1000000000}" >expected
    rm -f program.*
    eval '"$ATOMC" program' "$2" >log 2>&1 || true
    ending found program.*
    check "$1" '[ ! -s log ] && grep -v -e "^1$" -e ^kinds found | diff expected -' log
}

all="one.o main.o twice.o"
# Instrumentation code is for this machine, analysis code for Alpha.
for inst in one.c words.cpp one.o both.a other.inst.o other.inst.a; do
    says "inst-$inst" "$inst main.o twice.o \"-toolargs=a 'b c'\"" '[a] [b c]'
done
says kinds "words.cpp main.o twice.o" ''
prints kinds-in-c++ grep ^kinds found <<'END'
kinds 99 -1 1099511627776 ab 3 7 0
kinds 1 -1 -1 ab 3 11 0
END
# With progend the heap is after the program and 4 GB for the program's own heap.
end=$((16#$(alpha-linux-gnu-nm program | awk '$3 == "_end" { print $1 }')))
progend=$(printf '%x' $(((end + (1 << 32) + 65535) & ~65535)))
while IFS='|' read -r test words said base objects main; do
    says "$test" "$words" "$said" "$base" "$objects" "$main"
done <<END
anal-main.o-twice.o|one.c main.o twice.o -toolargs=a|[a]
anal-main.c-twice.a|one.o main.c twice.a -toolargs=a|[a]
anal-main.cpp|one.o main.cpp -toolargs=a|[a]
anal-main.cpp-twice.c|one.c main.cpp twice.c -toolargs=a|[a]
taken|$all -g -debug -w0 -w1 -w2 -all -A0 -A1 -O0 -O1 -O2 -pthread -fork -Xfork -Xthreads
taken-values|$all -suffix .new -shlibdir=none -Xdata 1-2 -dynobj plug.so -dynobj
incobj|$all -incobj program
excobj|$all -excobj ./program -excobj program|||0|0
excobj-incobj|$all -excobj program -incobj=program
heapbase-3000000000|$all -heapbase 3000000000||3000000000
heapbase-0x2800000000|$all -heapbase 0x2800000000||2800000000
heapbase-2200000000|$all -heapbase 2200000000||2200000000
heapbase-progend|$all -heapbase progend||$progend
described-overridden|-tool mine -toolargs=x|[x]|2200000000
described-heap|-tool=mine -heapbase 3000000000|[of] [the]|3000000000
described-environment|-env strict -toolargs=x -tool mine|[required]
described-linked|-tool linked|linked||11|3
described|-tool mine|[of] [the]|2200000000
END
# Words for compilers and linkers, of instrumentation and of analysis code.
gcc -fPIC -c folder/here.c -o here.o && ar rc folder/libhere.a here.o
alpha-linux-gnu-gcc -c folder/there.c -o there.o && alpha-linux-gnu-ar rc folder/libthere.a there.o
for join in "" " "; do
    # shellcheck disable=SC2086
    instrument passed.atom program passed.inst.c passed.anal.c -I${join}folder -L${join}folder \
        -Wci,-DCOMPILED=10,-O0 -Wca,-DCOMPILED=20 -Wli,-lhere -Wla,-lthere,-z,now
    check "passed-on$join" "qemu passed.atom | grep -x 'given 42 42, compiled 11 20, linked 7'"
done
prints version "$ATOMC" -version < <("$ATOMC" --version)
check version-said '"$ATOMC" -version | grep atomc'
# DEC shipped these with an environment for threads.
for tool in hiprof pixie third; do
    check "threads-$tool" "'$ATOMC' program -tool $tool -env threads && qemu program.$tool; rm program.$tool"
done
check described-output "[ -e program.mine ]"

# Errors, which leave no output.
while IFS='|' read -r test words error; do
    rm -f program.*
    status=0
    # shellcheck disable=SC2086
    timeout 1500 "$ATOMC" $words >log 2>&1 || status=$?
    check "$test" '[ $status = 1 ] && grep -F -e "$error" log && ! ls program.*' log
done <<END
incobj-unknown|program $all -incobj libc.so|-incobj: the program has no object 'libc.so': it is static, and its only object is 'program'
excobj-unknown|program $all -excobj=libm.so|-excobj: the program has no object 'libm.so'
excobj-none|program $all -excobj|-excobj needs the name of an object
excobj-description|-t prof program -excobj program|-excobj is for instrumentation code in C
heapbase-word|program one.o main.o -heapbase somewhere|-heapbase somewhere: the value is a hexadecimal address or progend
heapbase-taken|program $all -heapbase 120000000|program: the analysis code's heap cannot begin at 0x120000000: 32 GB from there are not free
heapbase-odd|program $all -heapbase 3000000010|at 0x3000000010: it has to be a multiple of 0x10000
described-unknown|program -tool min|there is no tool 'min': no file min.desc in the built-in directory or one of ATOMTOOLPATH, and no such stock
described-no-environment|program -tool mine -env lax|there is no tool 'mine': no file mine.lax.desc in
described-twice|program -tool twice|twice.desc:2:1: error: INST_FILE occurs twice in the description
described-nothing|program -tool nothing|nothing.desc: the description has no INST_FILE
tool-twice|program -tool mine -tool linked|-tool is given twice
environment-of-none|program -tool prof -env threads|there is no tool 'prof': no file prof.threads.desc
environment-alone|program one.c -env lax|-env needs -tool
END
check described-unknown-line '"$ATOMC" program -tool odd >log 2>&1 && [ -e program.odd ] &&
    grep "odd.desc:1:1: warning: not a line of a description" log' log
check stock-tool '"$ATOMC" program -tool prof; qemu program.prof; [ -s prof.out ]'
