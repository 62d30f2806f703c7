# tools_third: third finds in each program of tests/third the errors that are marked by `//!` on their lines, and no
# others; and in real programs none, leaks included, or the errors of tests/third/real.txt, which valgrind finds too.
. "$tests/lib/tools.sh"
tools_all="bzip2-O2:compress bzip2-O2:decompress bzip2-O0:damaged lzip-O2:compress lzip-O2:damaged minigzip-O2:compress
    minigzip-O0:decompress lua-O2:errors lua-O0:strings minisat-O2:pigeons minisat-O3:satisfiable mawk-O2:words mawk-O3:primes
    byacc-O2:grammar byacc-O3:error dash-O2:script dash-O2:expand dash-O0:expand blas-O2:errors blas-O3:small zblas-O2:small
    sqlite3-O2:queries sqlite3-O2:errors sqlite3-O0:queries zpaq-O2:method zpaq-O2:add zpaq-O0:method zpaq-O2:damaged
    pbzip2-O2:compress pbzip2-O2:decompress pbzip2-O3:decompress"

# The planted defects, in one program: each source's main is called by the number that the program is given.
mapfile -t sources < <(find "$tests/third" -name '*.c*' | sort | sed -n "/callers_/p;/callers_/!{1~$(pick 6 1)p}")
# These programs are compiled at other levels, too: there most other errors are optimized away.
optimized=("$tests"/third/{bit_fields,bit_fields_changed,freed_mapped,other_stacks,unset_loop,usable_size}.c)
levels=("${sources[@]/*/0}" "${optimized[@]/*/1}" "${optimized[@]/*/2}" "${optimized[@]/*/3}")
sources+=("${optimized[@]}" "${optimized[@]}" "${optimized[@]}")
calls= declared=
for number in "${!sources[@]}"; do
    options=$(sed -n 's|^/\* options: \(.*\) \*/|\1|p' "${sources[number]}")
    alpha-linux-gnu-gcc -c -O"${levels[number]}" -g -w ${options:+"$options"} "${sources[number]}" -o "planted$number.o"
    alpha-linux-gnu-objcopy --redefine-sym "main=planted$number" "planted$number.o"
    declared+="int planted$number(); "
    calls+="case $number: return planted$number(1, words); "
done
echo "int atoi(const char *); $declared int main(int count, char **words) { switch (atoi(words[1])) { $calls } }" >main.c
alpha planted main.c -w planted*.o -lstdc++ -pthread
instrument instrumented --demangle -t third planted
for number in "${!sources[@]}"; do
    rm -f third.out
    ending log instrumented "$number" # by a signal, some
    # Error and line; of a routine of the C library the line that called it.
    awk '{ n = split($0, said, /[ ]*\/\/! */); for (i = 2; i <= n; i++) print said[i] "\t" NR }' \
        "${sources[number]}" | sort -u >expected
    awk -F'\t' 'NR > 1 { sub(/.*:/, "", $3); print $1 "\t" $3 }' third.out | sort -u >rows
    same "$(basename "${sources[number]%.*}")-O${levels[number]}" expected rows
    # The calls, if the source has them: of the error, and of its block.
    sed -n 's|.*// callers: ||p' "${sources[number]}" | sort >expected
    awk -F'\t' 'NR > 1 { print $1 " < " $7 ($8 == "" ? "" : " / " $8) }' third.out |
        sed -E "s/\([^()]*\)//g; s/planted[0-9]+/main/g; s/ [a-z_]+\.cc?:/:/g; s/(main:[0-9]+) < main/\1/g" | sort >rows
    [ ! -s expected ] || same "$(basename "${sources[number]%.*}")-O${levels[number]}/callers" expected rows
done

# Error, procedure, place, times and bytes of the rows in the report of the real program, beside its title.
check_real() { # NAME LEVEL WORKLOAD
    run plain "$program"
    run_tool "real/$1-$2/$3" third || return 0
    { head -n 1 found/files/third.out | cut -f1-5 && sed -n "s/^$1-$2:$3: //p" "$tests/third/real.txt"; } >expected
    cut -f1-5 found/files/third.out | sed '1!s|[^	]*/||; 2,$s/	/ /g' >rows
    same "real/$1-$2/$3" expected rows
}
each_workload check_real pbzip2-O2:decompress

# Data in several segments, with unmapped memory between them: the leak check skips this memory.
for where in "" -Wl,-Tdata=0x160000000 -Wl,-Tbss=0x170000000; do
    alpha holes "$tests/data/holes.c" -O1 -g $where 2>/dev/null
    instrument instrumented -t third holes
    rm -f third.out
    prints "holes$where" qemu instrumented <<<done
    check "holes$where/leaks" "[ \$(grep -c ^leak third.out) = 1 ] && grep -q -P '^leak\tmain\t.*\t1\t30\t' third.out" third.out
done

# The leak of real.txt in dash, by valgrind, in dash built for this machine.
[ "$SIZE" = all ] || return 0
if ! command -v valgrind >log; then
    skipped real/dash/valgrind "valgrind is not installed"
    return
fi
cp -a "$BUILD/programs/dash/source" native
check real/dash/builds "(cd native && touch aclocal.m4 configure config.h.in Makefile.in src/Makefile.in &&
    ./configure && make -C src CFLAGS='-O2 -g -w')"
(cd "$BUILD/programs/dash/inputs" &&
    valgrind --leak-check=full --child-silent-after-fork=yes "$scratch/native/src/dash" script.sh) \
    >log 2>&1 || true
prints real/dash/valgrind awk '/definitely lost in loss record/ { bytes = $2; blocks = $5 }
    bytes && / by .*\(memalloc.c/ { gsub(/[()]/, ""); print "leak", $(NF - 1), $NF, blocks, bytes; bytes = 0 }' log \
    <<<"leak savestr memalloc.c:83 1 21"
