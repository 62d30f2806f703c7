# atom: tools in ATOM's interface, in C of the nineties, against the stock tools, .atd tools and the oracle.
. "$tests/lib/tools.sh"
. "$tests/lib/agree.sh"
tools=$tests/atom/tools

# tool RESULT NAME [WORDS]: instruments the program with ATOM's tool NAME, WORDS as -toolargs. atomc prints no message,
# and the output is the program's.
tool() {
    instrument atom.program "$program" "$tools/$2.inst.c" "$tools/$2.anal.c" ${3:+"-toolargs=$3"} && run "$1" atom.program &&
        check "$test/$1-behaves" "[ ! -s atom.program.log ] && cmp counted/stdout $1/stdout"
}
# columns NUMBER FILE: the first columns of lines that begin with an address and were executed
columns() {
    awk -v count="$1" '/^0x/ && $2 + $3 > 0 { for (i = 1; i <= count; i++)
        printf "%s%s", $i, i < count ? " " : "\n" }' "$2" | sort
}
# row WORD FILE COLUMN,COLUMN...: columns of the line that begins with the word
row() {
    grep "^$1	" "$2" | cut -f "$3" | tr '\t' ' '
}
# of_program NAME LEVEL WORKLOAD: the program that `use` has chosen
of_program() {
    local each test=$1-$3 stock=stock/files
    # Three records of the plain program for replay; then the counts, of a run that has no descriptor more than usual.
    list_procedures
    replay predicted branches entries=512
    replay heap heap
    replay pages cache size=262144 line=8192 ways=0 allocate=1 writeback=0
    count_with_oracle counted oracle.txt
    run logged "$program" -strace -D "$scratch/strace"
    instrument stock.atom -t branch -t prof -t read -t cache -t audit \
        -t dynmem -t dtb "$tools"/{blocks,mhist,iprof}.atd "$program"
    run stock stock.atom
    for each in paper_branch paper_block inline trace prof branch read icount audit mhist leaks tlb iprof; do
        tool $each $each
    done
    tool cache cache "32 65536"
    tool small_tlb tlb "32 8192"
    tool bpred bpred 512
    agree "$test/paper-branch" <(columns 3 $stock/branch.out) <(columns 3 paper_branch/files/btaken.out)
    agree "$test/paper-block" <(sed '1d; s/^0x//; s/\t/ /' $stock/counts.output) paper_block/files/counts.output
    agree "$test/inline" <(sed '1d; s/\t/ /g; s/ proc_at_0x[0-9a-f]*$/ /' $stock/inline.out) inline/files/inline.out
    agree "$test/trace" <(echo "tracf -1 references $(tail -n 1 $stock/references.out)"; echo "main $((${#arguments[@]} + 1)) 0 0 0 0") \
        trace/files/trace.out
    agree "$test/prof" $stock/prof.out prof/files/prof.out
    agree "$test/branch" <(columns 4 $stock/branch.out) <(columns 4 branch/files/btaken.out)
    awk -F '\t' 'NR == 1 { split($0, title) }
        NR == 2 { for (i = 1; i <= NF; i++) print tolower(title[i]), $i }' $stock/read.out >$stock/read.lines
    agree "$test/read" $stock/read.lines read/files/read.out
    agree "$test/icount" <(row total $stock/prof.out 2) <(sed -n 's/^total //p' icount/files/icount.out)
    agree "$test/cache" <(row L1 $stock/cache.out 2,3) <(row L1 cache/files/cache.out 2,3)
    agree "$test/audit" <(columns 3 $stock/audit.out) <(columns 3 audit/files/audit1994.out)
    agree "$test/malloc-histogram" <(sed '1d; s/\t/ /g' $stock/mhist.out) mhist/files/mhist.out
    agree "$test/leaks" <(row all $stock/dynmem.out 4,5,8,9) leaks/files/leaks.out
    agree "$test/tlb" <(row DTB $stock/dtb.out 2,3) tlb/files/tlb.out
    agree "$test/iprof" <(sed '1d; s/\t/ /g' $stock/iprof.out) iprof/files/iprof.out
    agree "$test/predictor-oracle" predicted bpred/files/bpred.out
    agree "$test/leaks-oracle" <(row all heap 3,4,7,8) leaks/files/leaks.out
    # Compared with the emulator's own log of system calls.
    agree "$test/read-oracle" <(awk '/ read\(/ { n++; sub(/.* = /, ""); if ($1 < 0) failed++; else bytes += $1 }
        END { printf "calls %d\nfailed %d\nbytes %d\n", n, failed, bytes }' strace) read/files/read.out
    agree "$test/tlb-oracle" <(row L1 pages 2,3) small_tlb/files/tlb.out
    # A block is executed as often as its first instruction.
    awk '$2 > 0 { print "0x" $0 }' paper_block/files/counts.output | sort >blocks
    agree "$test/paper-block-oracle" <(awk 'FNR == NR { block[$1]; next } { sub(/^0x0*/, "0x", $1) }
        $1 in block { print $1, $3 }' \
        blocks oracle.txt | sort) blocks
    # The same files as the stock tools leave, but for white space.
    sed 's/ \t /\t/g' paper_branch/files/btaken.out >branch.out
    tr ' ' '\t' <audit/files/audit1994.out >audit.out
    cp prof/files/prof.out cache/files/cache.out .
    for each in branch prof audit cache; do
        check "$test/$each-oracle" "bash '$tests/lib/counts.sh' $each oracle.txt $each.out '$program' '$stable'"
    done
}
WORKLOADS=$(pick byacc-O3:conflicts "byacc-O3:conflicts bzip2-O2:decompress lua-O2:strings byacc-O2:grammar") each_workload of_program

# Requests of a small program, and tables by thread.
alpha memory -O0 "$tests/data/asks.c"
instrument memory.atom memory "$tools"/dynmem.{inst,anal}.c
check memory "qemu memory.atom && awk 'NR == 1 { print (\$1 >= 6241), (\$2 >= 1234), (\$1 - \$2 >= 5007) } NR > 1' dynmem.out |
    diff - <(printf '1 1 1\nleak 5007\n')"
alpha threads -pthread "$tests/atom/threads/threads.c"
instrument threads.atom threads "$tests"/atom/threads/threads.{inst,anal}.c
prints threads qemu threads.atom <<<"4 threads, 20000 calls, 0 wrong"
