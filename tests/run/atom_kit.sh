# atom_kit: the kinds of tools that were published for ATOM, each in its interface, on static programs and, with all their
# libraries, on dynamic ones: taken branches with a predictor, cache, translation buffer, dyninst, iprof, prof, inline sites,
# malloc and leaks, traces of procedures and of addresses, and a cache profiler for threads in C++. Instructions, branches, loads,
# stores and calls are held against the oracle, the rest against the stock tools, which other cases hold against it.
# size: all
. "$tests/lib/dynamic.sh"
. "$tests/lib/tools.sh"
kit=$tests/atom/kit

# go RESULT EXECUTABLE: a run as the program's own.
go() {
    if [ "$level" = dynamic ]; then live "$@"; else run "$@"; fi
}
# tool NAME [WORDS]: the tool's run in NAME/, whose output is the program's.
tool() {
    local tool=$1 words=${2:-} suffix=c
    [ "$1" != profiler ] || suffix=cc
    # shellcheck disable=SC2086
    instrument kit.atom "$program" "$kit/${3:-$tool}".{inst,anal}.$suffix $all "-toolargs=$words" &&
        go "$tool" kit.atom &&
        same_results "$test/$tool-same" plain "$tool" kit.out
}
# The oracle's counts: lines ADDRESS, word, executed, taken, not taken, with atomc's addresses.
expected_counts() {
    if [ "$level" = dynamic ]; then cat own.txt libraries.txt | moved; else cat own.txt; fi |
        awk -F'\t' '/^0x/ && $3 > 0 { sub(/^0x0*/, "0x", $1); print $1, $2, $3, $4, $5 }' | sort
}
is_call='opcode = int(number($2) / 67108864); kind = int(number($2) / 16384) % 4
    call = opcode == 52 || (opcode == 26 && kind % 2)'
static="bzip2-O2:decompress lua-O2:strings byacc-O3:conflicts"
dynamic="bzip2-dynamic:compress lua-dynamic:strings mawk-dynamic:words"

for item in $static $dynamic; do
    level=${item%:*} level=${level##*-}
    use "${item%%-*}" "$level" "${item#*:}" || continue
    test=$name-$level all=
    if [ "$level" = dynamic ]; then
        all=-all
        live plain "$program"
        count_executions own libraries
        write_bases all
    else
        count_with_oracle plain own.txt
    fi
    expected_counts >counts
    # shellcheck disable=SC2086
    instrument stock.atom ${all:+--objects=all} -t branch -D predictor=2bit -D counters=256 -t iprof -t cache -t dtb -D pages=32 \
        -t dynmem "$program"
    go stock stock.atom
    stock=stock/files
    tool predict
    agree "$test/taken-oracle" <(awk '$4 + $5 > 0 { print $1, $4, $5 }' counts | sort) \
        <(cut -f1-3 predict/files/kit.out | tr '\t' ' ' | sort)
    agree "$test/predictor" <(awk '/^0x/ && $2 + $3 > 0 { print $1, $2, $3, $4 }' $stock/branch.out | sort) \
        <(tr '\t' ' ' <predict/files/kit.out | sort)
    tool cache
    agree "$test/cache" <(grep '^L1' $stock/cache.out | cut -f2,3 | tr '\t' ' ') cache/files/kit.out
    tool buffer 32 cache
    agree "$test/buffer" <(grep '^DTB' $stock/dtb.out | cut -f2,3 | tr '\t' ' ') buffer/files/kit.out
    tool profiler
    agree "$test/profiler" cache/files/kit.out profiler/files/kit.out
    tool dyninst
    agree "$test/dyninst-oracle" <(awk "$hexadecimal"'{ '"$is_call"'
            all += $3; calls += call ? $3 : 0; register = int(number($2) / 2097152) % 32
            if (opcode == 11 && register == 31) next
            if (opcode >= 10 && opcode <= 12 || opcode >= 32 && opcode <= 35 || opcode >= 40 && opcode <= 43) loads += $3
            if (opcode >= 13 && opcode <= 15 || opcode >= 36 && opcode <= 39 || opcode >= 44 && opcode <= 47) stores += $3 }
        END { printf "%d %d %d %d\n", all, loads, stores, calls }' counts) \
            <(awk '$1 == "total" { print $2, $4, $5, $6 }' dyninst/files/kit.out)
    # A linkage table may have no symbol.
    agree "$test/iprof" \
        <(awk -F'\t' '/^0x/ { print $1, $2, $3, $6 ~ /^_PROCEDURE_LINK/ ? "proc_at_" $1 : $6 }' $stock/iprof.out | sort) \
        <(awk '/^0x/ { print $1, $2, $3, $4 ~ /^_PROCEDURE_LINK/ ? "proc_at_" $1 : $4 }' dyninst/files/kit.out | sort)
    tool inline
    agree "$test/inline-oracle" \
        <(awk "$hexadecimal"'{ '"$is_call"'; if (opcode == 52 || (opcode == 26 && kind == 1)) print $1, $3 }' counts | sort) \
        <(cut -d' ' -f1,2 inline/files/kit.out | sort)
    tool malloc
    agree "$test/malloc" <(grep '^all	' $stock/dynmem.out | cut -f4,5,8,9 | tr '\t' ' ') malloc/files/kit.out
    check "$test/malloc-some" "awk '\$1 > 0' malloc/files/kit.out | grep ."
    tool trace
    # shellcheck disable=SC2086
    instrument described.atom ${all:+--objects=all} "$kit/trace.atd" "$kit/trace.anal.c" "$program" && go described described.atom
    agree "$test/trace" described/files/kit.out trace/files/kit.out
done
