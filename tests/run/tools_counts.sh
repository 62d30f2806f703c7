#!/bin/bash
# tools_counts.sh: stock tools on real programs against what follows from the oracle's counts and its stream of references.
# Requires: atomc (ATOMC), build/tests/oracle.so, qemu-alpha with -plugin; the test programs; run from the repository's root.
#
# All tools are applied together, each with its own results. What is expected is computed from runs of the uninstrumented
# program by other programs: oracle.c, references.c, the benchmark's plugins, objdump. TOOLS_PROGRAMS restricts it: "bzip2/damaged".
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
export LC_ALL=C
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
oracle=$BUILD/tests/oracle.so
if ! "$QEMU" -h 2>&1 | grep -q -e "-plugin"; then
    skipped tools "$QEMU has no -plugin"
    exit 0
fi
gcc -O2 tests/oracle/references.c -o "$base/references"
plugin() { # NAME OUTPUT OPTION...
    gcc -O2 -I. -fPIC -shared "bench/plugins/$1.c" -o "$base/$2.so" "${@:3}"
}
plugin predictor predictor
plugin predictor history -DHISTORY
plugin dcache dcache

# The oracle's instruction words: what is a load, a store, a call. A load to the zero register moves nothing.
words=$hexadecimal'
    function bits(word, low, size) { return int(number(word) / 2 ^ low) % 2 ^ size }
    function opcode(word) { return bits(word, 26, 6) }
    function is_store(word, o) { o = opcode(word); return o >= 13 && o <= 15 || o >= 36 && o <= 39 || o >= 44 && o <= 47 }
    function is_load(word, o) {
        o = opcode(word)
        return (o >= 10 && o <= 12 || o >= 32 && o <= 35 || o >= 40 && o <= 43) && bits(word, 21, 5) != 31
    }
    function is_call(word, o) { o = opcode(word); return o == 52 || o == 26 && bits(word, 14, 1) == 1 }'

# check TEST EXPECTED FOUND: are the files the same?
check() {
    if [ -s "$2" ] && diff "$2" "$3" >"$base/difference" 2>&1; then
        passed "tools/$1"
    else
        [ -s "$2" ] || echo "nothing is expected" >"$base/difference"
        failed "tools/$1" "it differs from what is expected (<)" "$base/difference"
    fi
}
rows() { # FILE COLUMN...: those columns of the rows that begin with an address, sorted
    local file=$1 columns
    shift
    columns=$(printf ',$%s' "$@")
    awk -F'\t' "BEGIN { OFS = FS } /^0x/ { print ${columns#,} }" "$file" | sort
}

# sums TEST PC_AND_COUNT PC_COUNT_AND_NAME: counts of places, summed up by procedure, against a tool's.
sums() {
    awk -F'\t' '{ print $1 "\t-\t" $2 "\t-\t-\t-\t-" }' "$2" >"$base/places"
    awk -F'\t' 'BEGIN { OFS = FS } { row[NR] = $0; sum += $2 }
        END { for (i = 1; i <= NR; i++) { split(row[i], f, FS); print f[1], f[2], sum ? 100 * f[2] / sum : 0, f[3] } }' "$3" \
        >"$base/procedures"
    if tests/run/counts.sh prof "$base/places" "$base/procedures" "$program" >"$base/difference" 2>&1; then
        passed "tools/$1"
    else
        failed "tools/$1" "it differs from what is expected (<)" "$base/difference"
    fi
}

check_counts_of() { # TEST: files in $base/found/files against $base/oracle.txt
    local test=$1 files=$base/found/files total
    total=$(sed -n 's/^# instructions //p' "$base/oracle.txt")

    awk -F'\t' "$words"' /^0x/ { n += $3; if (is_load($2)) l += $3; if (is_store($2)) s += $3; if (is_call($2)) c += $3 }
        END { printf "%.0f\t%.0f\t%.0f\t%.0f\n", n, l, s, c }' "$base/oracle.txt" >"$base/expected"
    awk -F'\t' 'BEGIN { OFS = FS } /^total/ { print $3, $4, $5, $6 }' "$files/dyninst.out" >"$base/sums"
    check "$test/dyninst" "$base/expected" "$base/sums"
    alpha-linux-gnu-objdump -d --no-show-raw-insn "$program" | awk '/^ *[0-9a-f]+:/ { sub(/:/, "", $1); print "0x" $1 "\t" $2 }' >"$base/text"
    awk -f tests/oracle/opcodes.awk "$base/oracle.txt" "$base/text" | sort >"$base/expected"
    {
        sed -e 1d -e '/^total/d' -e 's/^/opcode\t/' "$files/dyninst.opcodes.out" | cut -f1-4
        sed -e 1d -e '/^total/d' -e 's/^/class\t/' "$files/dyninst.classes.out" | cut -f1-3
    } | sort >"$base/found.opcodes"
    check "$test/dyninst/opcodes" "$base/expected" "$base/found.opcodes"

    rows "$files/pixie.out" 1 2 >"$base/blocks"
    awk -F'\t' 'NR == FNR { executed[$1] = $3; next } { print $1 "\t" executed[$1] }' "$base/oracle.txt" "$base/blocks" \
        >"$base/expected"
    awk -F'\t' '/^0x/ { n += $3 } END { printf "total\t%.0f\n", n }' "$files/pixie.out" >>"$base/blocks"
    echo "total	$total" >>"$base/expected"
    check "$test/pixie" "$base/expected" "$base/blocks"

    # The blocks in the order of their addresses, with the instructions of all intervals, none of which is too short.
    rows "$files/pixie.out" 1 3 | cut -f2 >"$base/expected"
    awk '{ sum = 0
            for (i = 1; i <= NF; i++) { split($i, f, ":"); executed[f[2] + 0] = f[2]; total[f[2]] += f[3]; sum += f[3] }
            if (last && last < 100000) print "an interval of", last; last = sum }
        END { for (b in executed) printf "%d\t%.0f\n", b, total[b] }' <(sed 's/^T//' "$files/bbv.out") | sort -n | cut -f2 \
        >"$base/intervals"
    check "$test/bbv" "$base/expected" "$base/intervals"

    awk -F'\t' "$words"' /^0x/ && is_call($2) { print $1 "\t" $3 }' "$base/oracle.txt" | sort >"$base/expected"
    rows "$files/inline.out" 1 2 >"$base/sites"
    check "$test/inline" "$base/expected" "$base/sites"

    rows "$base/oracle.txt" 1 3 >"$base/instructions"
    rows "$files/iprof.out" 1 3 6 >"$base/found.iprof"
    sums "$test/iprof" "$base/instructions" "$base/found.iprof"
    entries "$base/oracle.txt" >"$base/entries"
    rows "$files/iprof.out" 1 2 | join -t'	' - "$base/entries" >"$base/both"
    cut -f1,3 "$base/both" >"$base/expected"
    cut -f1,2 "$base/both" >"$base/calls"
    check "$test/iprof/calls" "$base/expected" "$base/calls"
}

check_references() { # TEST
    local test=$1 files=$base/found/files
    "$base/references" "$base/addresses" >"$base/replayed"
    # Locked instructions are left out.
    awk -F'\t' 'NR == FNR { locked[$1] = $2 ~ /^(a[89a-f]|b[89a-f])/; next } $3 > 0 && !locked[$1] { print $1 "\t" $3 }
        END { print "none else" }' "$base/oracle.txt" "$base/replayed" | sort >"$base/expected"
    { rows "$files/unalign.out" 1 2; echo "none else"; } >"$base/unaligned"
    check "$test/unalign" "$base/expected" "$base/unaligned"
}

# Second implementations: plugins.
check_plugins() { # TEST
    local test=$1 files=$base/found/files
    grep '^references\|^misses' "$base/dcache.txt" >"$base/expected"
    awk '/^L1/ { print "references", $2; print "misses", $3 }' "$files/cache.out" >"$base/misses"
    check "$test/cache" "$base/expected" "$base/misses"
    awk -F'\t' '/^0x/ && $2 + $3 > 0 { print $1 "\t" $2 "\t" $3 }' "$base/predictor.txt" | sort >"$base/expected"
    rows "$files/btaken.out" 1 2 3 >"$base/outcomes"
    check "$test/branch" "$base/expected" "$base/outcomes"
    awk '/^predictions/ { p = $2 } /^mispredictions/ { print "mispredicted " $2 " of " p }' "$base/predictor.txt" >"$base/expected"
    awk '/^total/ { print "mispredicted " $4 " of " $2 + $3 }' "$files/btaken.out" >"$base/outcomes"
    check "$test/predictor" "$base/expected" "$base/outcomes"
}

together=(-t dyninst -D classes=true -D opcodes=true -t pixie -t bbv -t iprof -t unalign -t inline -D top=1000000 -t cache -D size=8192)
test_program() { # NAME WORKLOAD PREDICTOR PLUGIN
    local workload=$2 predictor=$3 standard_input='' run
    name=$1
    arguments=()
    if ! program=$(tests/programs/build.sh "$name" O2 2>"$base/build"); then
        skipped "tools/$name" "$(tail -n 1 "$base/build")"
        return
    fi
    stage=$base/stage
    inputs=$base/inputs
    rm -rf "$inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$inputs"
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$workload"
    # shellcheck disable=SC2154 # the program's
    if ! "$ATOMC" "${together[@]}" -t branch -D predictor="$predictor" "$program" -o "$base/$name" >"$base/log" 2>&1; then
        failed "tools/$name" "atomc failed" "$base/log"
        return
    fi
    for run in "oracle:$oracle,out=$base/oracle.txt,addresses=$base/addresses" "$4:$base/$4.so,out=$base/predictor.txt" \
        "dcache:$base/dcache.so,out=$base/dcache.txt"; do
        run_program "$base/plain" "$name" "$program" "$inputs" "$standard_input" -plugin "${run#*:}" -- "${arguments[@]}"
    done
    run_program "$base/found" "$name" "$base/$name" "$inputs" "$standard_input" -- "${arguments[@]}"
    rm -rf "$base/compared"
    cp -a "$base/found" "$base/compared"
    (cd "$base/compared/files" && rm -f dyninst*.out pixie.out bbv.out iprof.out unalign.out inline.out \
        cache.out btaken.out)
    same_results "tools/$name-$workload/behaviour" "$base/plain" "$base/compared"
    check_counts_of "$name-$workload"
    check_references "$name-$workload"
    check_plugins "$name-$workload"
}

for each in ${TOOLS_PROGRAMS:-bzip2/damaged minigzip/decompress lua/errors lzip/damaged mawk/errors byacc/conflicts \
    minisat/satisfiable sqlite3/errors blas/errors}; do
    case $each in
    lua/* | byacc/*) test_program "${each%/*}" "${each#*/}" gshare history ;;
    *) test_program "${each%/*}" "${each#*/}" 2bit predictor ;;
    esac
done
[ "$failures" = 0 ] && rm -rf "$base"
[ "$failures" = 0 ]
