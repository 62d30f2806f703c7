#!/bin/bash
# atom.sh: tools in ATOM's interface, in C of the nineties, against the stock tools, .atd tools and the oracle.
# Requires: atomc (ATOMC), the test programs, qemu-alpha, build/tests/oracle.so; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
tools=tests/hatch/tools

# use PROGRAM LEVEL WORKLOAD: what the functions below run.
use() {
    standard_input=
    stable=
    arguments=()
    inputs=$BUILD/programs/$1/inputs
    name=$1
    program=$(tests/programs/build.sh "$1" "$2" 2>/dev/null) || return 1
    # shellcheck source=/dev/null
    . "tests/programs/$1/program.sh"
    "workload_$3"
}

# run RESULT ATOMC_WORDS...: instruments and runs; "PROGRAM" stands for the program.
run() {
    local result=$scratch/$1 word
    local -a words=()
    shift
    for word in "$@"; do
        words+=("${word/#PROGRAM/$program}")
    done
    if ! "$ATOMC" "${words[@]}" -o "$scratch/program" >"$scratch/log" 2>&1; then
        failed "atom/$name" "atomc ${words[*]}" "$scratch/log"
        return 1
    fi
    [ ! -s "$scratch/log" ] || failed "atom/$name" "atomc says something" "$scratch/log"
    run_program "$result" "$name" "$scratch/program" "$inputs" "$standard_input" -- "${arguments[@]}"
}

# same TEST FILE OTHER
same() {
    if [ -s "$2" ] && diff "$2" "$3" >"$scratch/difference" 2>&1; then
        passed "atom/$name/$1"
    else
        failed "atom/$name/$1" "not the same" "$scratch/difference"
    fi
}
# columns FILE COUNT: the first columns of lines that begin with an address and were executed
columns() {
    awk -v count="$2" '/^0x/ && $2 + $3 > 0 { for (i = 1; i <= count; i++) printf "%s%s", $i, i < count ? " " : "\n" }' "$1"
}

compare() {
    local t
    run branch -t branch PROGRAM && run paper PROGRAM $tools/paper_branch.inst.c $tools/paper_branch.anal.c
    columns "$scratch/branch/files/btaken.out" 3 >"$scratch/a"
    columns "$scratch/paper/files/btaken.out" 3 >"$scratch/b"
    same paper-branch "$scratch/a" "$scratch/b"
    cmp "$scratch/branch/stdout" "$scratch/paper/stdout" || failed "atom/$name/behaviour" "another output"
    run blocks $tools/blocks.atd PROGRAM && run paper PROGRAM $tools/paper_block.inst.c $tools/paper_block.anal.c
    sed '1d; s/^0x//; s/\t/ /' "$scratch/blocks/files/counts.output" >"$scratch/a"
    same paper-block "$scratch/a" "$scratch/paper/files/counts.output"
    run new PROGRAM $tools/inline.inst.c $tools/inline.anal.c
    sed '1d; s/\t/ /g' "$scratch/blocks/files/inline.out" >"$scratch/a"
    # A callee without a symbol has a made name in .atd, none in ATOM.
    sed 's/ proc_at_0x[0-9a-f]*$/ /' "$scratch/a" >"$scratch/c"
    same inline "$scratch/c" "$scratch/new/files/inline.out"
    run new PROGRAM $tools/trace.inst.c $tools/trace.anal.c
    echo "tracf -1 references $(tail -n 1 "$scratch/blocks/files/references.out")" >"$scratch/a"
    echo "main $((${#arguments[@]} + 1)) 0 0 0 0" >>"$scratch/a"
    same trace "$scratch/a" "$scratch/new/files/trace.out"
    for t in prof branch read; do
        run stock -t $t PROGRAM && run new PROGRAM $tools/$t.inst.c $tools/$t.anal.c
        file=$t.out
        [ $t != branch ] || file=btaken.out
        if [ $t = branch ]; then # inlined code has another file there
            columns "$scratch/stock/files/$file" 4 >"$scratch/a"
            columns "$scratch/new/files/$file" 4 >"$scratch/b"
            same $t "$scratch/a" "$scratch/b"
        else
            same $t "$scratch/stock/files/$file" "$scratch/new/files/$file"
        fi
    done
    run new PROGRAM $tools/icount.inst.c $tools/icount.anal.c && run stock -t prof PROGRAM
    awk '/^total/ { print $1, $2 }' "$scratch/stock/files/prof.out" >"$scratch/a"
    awk '/^total/' "$scratch/new/files/icount.out" >"$scratch/b"
    same icount "$scratch/a" "$scratch/b"
    run stock -t cache PROGRAM && run new PROGRAM $tools/cache.inst.c $tools/cache.anal.c -toolargs="32 65536"
    awk '$1 == "L1" { print $2, $3 }' "$scratch/stock/files/cache.out" >"$scratch/a"
    awk '$1 == "L1" { print $2, $3 }' "$scratch/new/files/cache.out" >"$scratch/b"
    same cache "$scratch/a" "$scratch/b"
    run stock -t audit PROGRAM && run new PROGRAM $tools/audit.inst.c $tools/audit.anal.c
    columns "$scratch/stock/files/audit.out" 3 >"$scratch/a"
    columns "$scratch/new/files/audit1994.out" 3 >"$scratch/b"
    same audit "$scratch/a" "$scratch/b"
    run stock $tools/mhist.atd PROGRAM && run new PROGRAM $tools/mhist.inst.c $tools/mhist.anal.c
    sed '1d; s/\t/ /g' "$scratch/stock/files/mhist.out" >"$scratch/a"
    same malloc-histogram "$scratch/a" "$scratch/new/files/mhist.out"
    run stock -t dynmem PROGRAM && run new PROGRAM $tools/leaks.inst.c $tools/leaks.anal.c
    awk -F'\t' '$1 == "all" { print $4, $5, $8, $9 }' "$scratch/stock/files/dynmem.out" >"$scratch/a"
    same leaks "$scratch/a" "$scratch/new/files/leaks.out"
    run stock -t dtb PROGRAM && run new PROGRAM $tools/tlb.inst.c $tools/tlb.anal.c
    awk '$1 == "DTB" { print $2, $3 }' "$scratch/stock/files/dtb.out" >"$scratch/a"
    same tlb "$scratch/a" "$scratch/new/files/tlb.out"
    run stock $tools/iprof.atd PROGRAM && run new PROGRAM $tools/iprof.inst.c $tools/iprof.anal.c
    sed '1d; s/\t/ /g' "$scratch/stock/files/iprof.out" >"$scratch/a"
    same iprof "$scratch/a" "$scratch/new/files/iprof.out"
}

# Against the record that the oracle makes of the uninstrumented program, and what is worked out from that.
against_oracle() {
    local t
    mkfifo "$scratch/record" "$scratch/again" "$scratch/third"
    "$ATOMC" tests/tools/procedures.atd "$program" -o "$scratch/places" >"$scratch/log" 2>&1
    ATOMC_OUT=$scratch "$QEMU" "$scratch/places" </dev/null >/dev/null 2>&1 || true
    sed 1d "$scratch/procedures.out" | tr ' ' _ >"$scratch/procedures"
    "$BUILD/tests/replay" branches entries=512 <"$scratch/again" >"$scratch/branches" &
    "$BUILD/tests/replay" heap procedures="$scratch/procedures" <"$scratch/third" >"$scratch/heap" &
    tee "$scratch/again" "$scratch/third" <"$scratch/record" |
        "$BUILD/tests/replay" cache size=262144 line=8192 ways=0 allocate=1 writeback=0 procedures="$scratch/procedures" >"$scratch/pages" &
    run_program "$scratch/oracle" "$name" "$program" "$inputs" "$standard_input" -singlestep \
        -plugin "$BUILD/tests/oracle.so,out=$scratch/oracle.txt,registers=on,execution=$scratch/record" -- "${arguments[@]}"
    wait
    rm "$scratch/record" "$scratch/again" "$scratch/third"
    # The stream takes a descriptor that the program would have got: the counts are those of a run without it.
    run_program "$scratch/oracle" "$name" "$program" "$inputs" "$standard_input" -singlestep \
        -plugin "$BUILD/tests/oracle.so,out=$scratch/oracle.txt,cache=on,registers=on" -- "${arguments[@]}"
    run new PROGRAM $tools/bpred.inst.c $tools/bpred.anal.c -toolargs=512
    same predictor-oracle "$scratch/branches" "$scratch/new/files/bpred.out"
    run new PROGRAM $tools/leaks.inst.c $tools/leaks.anal.c
    awk -F'\t' '$1 == "all" { print $3, $4, $7, $8 }' "$scratch/heap" >"$scratch/a"
    same leaks-oracle "$scratch/a" "$scratch/new/files/leaks.out"
    # The emulator's own log of system calls.
    run_program "$scratch/logged" "$name" "$program" "$inputs" "$standard_input" -strace -D "$scratch/strace" -- "${arguments[@]}"
    run new PROGRAM $tools/read.inst.c $tools/read.anal.c
    awk '/ read\(/ { n++; sub(/.* = /, ""); if ($1 < 0) failed++; else bytes += $1 }
        END { printf "calls %d\nfailed %d\nbytes %d\n", n, failed, bytes }' "$scratch/strace" >"$scratch/a"
    same read-oracle "$scratch/a" "$scratch/new/files/read.out"
    run new PROGRAM $tools/tlb.inst.c $tools/tlb.anal.c -toolargs="32 8192"
    awk 'NR == 1 { print $2, $3 }' "$scratch/pages" >"$scratch/a"
    same tlb-oracle "$scratch/a" "$scratch/new/files/tlb.out"
    run new PROGRAM $tools/paper_branch.inst.c $tools/paper_branch.anal.c
    sed 's/ \t /\t/g' "$scratch/new/files/btaken.out" >"$scratch/branch.out"
    run new PROGRAM $tools/prof.inst.c $tools/prof.anal.c && cp "$scratch/new/files/prof.out" "$scratch/prof.out"
    run new PROGRAM $tools/audit.inst.c $tools/audit.anal.c && tr ' ' '\t' <"$scratch/new/files/audit1994.out" >"$scratch/audit.out"
    run new PROGRAM $tools/cache.inst.c $tools/cache.anal.c -toolargs="32 65536" && cp "$scratch/new/files/cache.out" "$scratch/cache.out"
    for t in branch prof audit cache; do
        if tests/run/counts.sh $t "$scratch/oracle.txt" "$scratch/$t.out" "$program" "$stable" >"$scratch/difference" 2>&1; then
            passed "atom/$name/$t-oracle"
        else
            failed "atom/$name/$t-oracle" "not the oracle's counts (<)" "$scratch/difference"
        fi
    done
    # Each block is executed as often as its first instruction.
    run new PROGRAM $tools/paper_block.inst.c $tools/paper_block.anal.c
    awk '$2 > 0 { print "0x" $1, $2 }' "$scratch/new/files/counts.output" | sort >"$scratch/b"
    awk '/^0x/ { sub(/^0x0*/, "0x", $1); print $1, $3 }' "$scratch/oracle.txt" | sort >"$scratch/all" && join "$scratch/b" "$scratch/all" | awk '{ print $1, $3 }' >"$scratch/a"
    same paper-block-oracle "$scratch/a" "$scratch/b"
}

oracle=yes
"$QEMU" -h 2>&1 | grep -q -e "-plugin" || oracle=
for what in "bzip2 O2 decompress" "lua O2 strings" "byacc O2 grammar"; do
    [ -z "${ATOM_PROGRAM:-}" ] || [ "$ATOM_PROGRAM" = "${what%% *}" ] || continue
    # shellcheck disable=SC2086
    if ! use $what; then
        skipped "atom/${what%% *}" "its source could not be fetched"
        continue
    fi
    compare
    [ -z "$oracle" ] || against_oracle
done

# ---- memory: what a small program asks for

name=dynmem
cat >"$scratch/memory.c" <<'END'
#include <stdlib.h>
int main(void) {
    char *kept = malloc(5007), *given = malloc(1000);
    free(given);
    free(malloc(234));
    return kept == 0;
}
END
alpha-linux-gnu-gcc -O0 -static -Wl,--no-relax "$scratch/memory.c" -o "$scratch/memory"
program=$scratch/memory inputs='' standard_input='' arguments=()
if run new PROGRAM $tools/dynmem.inst.c $tools/dynmem.anal.c; then
    awk 'NR == 1 { print ($1 >= 6241), ($2 >= 1234), $1 - $2 >= 5007 } NR > 1' "$scratch/new/files/dynmem.out" >"$scratch/b"
    printf '1 1 1\nleak 5007\n' >"$scratch/a"
    same memory "$scratch/a" "$scratch/b"
fi

# ---- tables by thread

name=threads
alpha-linux-gnu-gcc -O2 -static -pthread -Wl,--no-relax tests/hatch/threads/threads.c -o "$scratch/threads"
program=$scratch/threads
if run new PROGRAM tests/hatch/threads/threads.inst.c tests/hatch/threads/threads.anal.c; then
    echo "4 threads, 20000 calls, 0 wrong" >"$scratch/a"
    same threads "$scratch/a" "$scratch/new/stdout"
fi
exit "$((failures > 0))"
