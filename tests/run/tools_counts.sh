# tools_counts: stock tools on real programs against results computed from the oracle's counts of the uninstrumented
# program and from its references, and against plugins of the benchmark with the same results as the tools. All tools
# are applied together.
. "$tests/lib/tools.sh"
gcc -O2 -include "$BUILD/tests/emulator/interface.h" "$tests/oracle/references.c" -o references
plugin() { # OUTPUT NAME [FLAG...]
    gcc -O2 -include "$BUILD/tests/emulator/interface.h" -I"$top" -fPIC -shared \
        "$top/tests/bench/plugins/$2.c" -o "$1.so" "${@:3}"
}
plugin 2bit predictor
plugin gshare predictor -DHISTORY
plugin dcache dcache

# The oracle's instruction words: loads, stores, calls. A load to the zero register moves nothing.
words=$hexadecimal'
    function bits(word, low, size) { return int(number(word) / 2 ^ low) % 2 ^ size }
    function is_store(word, o) { o = bits(word, 26, 6); return o >= 13 && o <= 15 || o >= 36 && o <= 39 || o >= 44 && o <= 47 }
    function is_load(word, o) {
        o = bits(word, 26, 6)
        return (o >= 10 && o <= 12 || o >= 32 && o <= 35 || o >= 40 && o <= 43) && bits(word, 21, 5) != 31
    }
    function is_call(word, o) { o = bits(word, 26, 6); return o == 52 || o == 26 && bits(word, 14, 1) == 1 }'

rows() { # FILE COLUMN,COLUMN...: of the rows that begin with an address, sorted
    grep ^0x "$1" | cut -f "$2" | sort
}
# The instructions of each block over all intervals of bbv, in the order of the blocks; no interval is too short.
intervals() { # FILE
    sed 's/^T//' "$1" | awk '{
            sum = 0
            for (i = 1; i <= NF; i++) { split($i, f, ":"); total[f[2]] += f[3]; sum += f[3] }
            if (last && last < 100000) print "an interval of", last
            last = sum
        }
        END { for (b in total) printf "%d\t%.0f\n", b, total[b] }' | sort -n | cut -f2
}
# Executions of places, summed up by procedure, are iprof's; so are names and percentages. counts.sh has the form of prof.
iprof_is_prof() {
    awk -F'\t' 'BEGIN { OFS = FS } /^0x/ { row[++n] = $1; sum += count[n] = $3; name[n] = $6 }
        END { for (i = 1; i <= n; i++) printf "%s\t%.0f\t%f\t%s\n", row[i], count[i], sum ? 100 * count[i] / sum : 0, name[i] }' \
        "$files/iprof.out" >procedures
    bash "$tests/lib/counts.sh" prof oracle.txt procedures "$program"
}

counts() { # NAME LEVEL WORKLOAD
    local test=$1-$2/$3 files=found/files predictor=2bit
    case $1 in lua | byacc) predictor=gshare ;; esac
    run plain "$program" -plugin "$oracle,out=$scratch/oracle.txt,addresses=$scratch/addresses" \
        -plugin "$scratch/$predictor.so,out=$scratch/predictor.txt" -plugin "$scratch/dcache.so,out=$scratch/dcache.txt"
    run_tool "$test" dyninst -D classes=true -D opcodes=true -t pixie -t bbv -t iprof -t unalign -t inline \
        -D all=true -D top=1000000 \
        -t cache -D size=8192 -t branch -D predictor=$predictor || return 0

    list_text
    agree "dyninst/$test" <(awk -F'\t' "$words"'
            /^0x/ { n += $3; if (is_load($2)) l += $3; if (is_store($2)) s += $3; if (is_call($2)) c += $3 }
            END { printf "%.0f\t%.0f\t%.0f\t%.0f\n", n, l, s, c }' oracle.txt) <(grep ^total $files/dyninst.out | cut -f3-6)
    agree "dyninst/$test/opcodes" <(awk -f "$tests/oracle/opcodes.awk" oracle.txt text | sort) <({
        sed -e 1d -e '/^total/d' -e 's/^/opcode\t/' $files/dyninst.out.opcodes | cut -f1-4
        sed -e 1d -e '/^total/d' -e 's/^/class\t/' $files/dyninst.out.classes | cut -f1-3
    } | sort)

    rows $files/pixie.out 1,2 >blocks
    agree "pixie/$test" <(awk -F'\t' 'NR == FNR { executed[$1] = $3; next } { print $1 "\t" executed[$1] }' oracle.txt blocks
        sed -n 's/^# instructions //p' oracle.txt) \
        <(cat blocks && awk -F'\t' '/^0x/ { n += $3 } END { printf "%.0f\n", n }' $files/pixie.out)
    agree "bbv/$test" <(rows $files/pixie.out 1,3 | cut -f2) <(intervals $files/bbv.out)
    agree "inline/$test" <(awk -F'\t' "$words"' /^0x/ && is_call($2) { print $1 "\t" $3 }' oracle.txt | sort) \
        <(rows $files/inline.out 1,2)
    check "iprof/$test" iprof_is_prof
    rows $files/iprof.out 1,2 | join -t$'\t' - <(entries oracle.txt) >both
    agree "iprof/$test/calls" <(cut -f1,3 both) <(cut -f1,2 both)

    # Locked instructions are omitted. There may be no unaligned references at all.
    ./references addresses >replayed
    agree "unalign/$test" <(awk -F'\t' 'NR == FNR { locked[$1] = $2 ~ /^(a[89a-f]|b[89a-f])/; next }
        $3 > 0 && !locked[$1] { print $1 "\t" $3 }' oracle.txt replayed | sort; echo end) <(rows $files/unalign.out 1,2; echo end)

    agree "cache/$test" <(sed -n 's/^\(references\|misses\) *//p' dcache.txt) \
        <(grep ^L1 $files/cache.out | cut -f2,3 | tr '\t' '\n')
    agree "branch/$test" <(grep ^0x predictor.txt | awk -F'\t' '$2 + $3 > 0' | cut -f1-3 | sort) <(rows $files/branch.out 1-3)
    agree "branch/$test/predictor" \
        <(awk '/^predictions/ { p = $2 } /^mispredictions/ { printf "%s of %.0f\n", $2, p }' predictor.txt) \
        <(awk '/^total/ { printf "%s of %.0f\n", $4, $2 + $3 }' $files/branch.out)
}

tools_all="bzip2-O2:damaged minigzip-O2:decompress lua-O2:errors lzip-O2:damaged mawk-O2:errors byacc-O2:conflicts minisat-O2:satisfiable
    sqlite3-O2:errors blas-O2:errors"
each_workload counts "bzip2-O2:damaged byacc-O3:conflicts"

# None of these programs has unaligned references.
alpha unaligned "$top/docs/examples/unaligned.c" -g
program=unaligned name=unaligned arguments=() inputs='' standard_input=''
counts unaligned O2 example
check unaligned "grep -q ^0x found/files/unalign.out"
