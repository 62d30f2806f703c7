#!/bin/bash
# counts.sh: compares the counts of a stock tool with the counts of the oracle, for every PC or procedure. Requires: a
# file of tests/oracle/oracle.c made with registers=on and cache=on; alpha-linux-gnu-readelf, awk.
#
# Use: counts.sh TOOL ORACLE OUTPUT PROGRAM [STABLE [ORACLE...]]; prints the differences, < expected, > found; exit status 0
# if there are none. With STABLE, a regular expression, only procedures whose names match are compared. With further
# files of the oracle, from other runs, only counts that are equal in all of them are compared. LEFT_OUT, a regular
# expression in the environment, leaves procedures out.
#
# Expected of the tools:
#   branch   branch.out   0xPC <tab> taken <tab> not taken, after one line of heading
#   prof     prof.out     0xPC <tab> instructions <tab> percentage <tab> name
#   audit    audit.out    0xPC <tab> executed <tab> redundant
#   cache    cache.out    L1 <tab> references <tab> misses, after one line of heading (the rest: tools_cache.sh)
# Lines of instructions that were never executed may be there or not; lines that do not begin with 0x are headings. A file may contain
# lines of forked children first: if a line occurs twice, the last lines in ascending order are compared.
set -eu -o pipefail
export LC_ALL=C
tool=$1
oracle=$2
output=$3
program=$4
stable=${5:-} left_out=${LEFT_OUT:-}
shift $(($# < 5 ? $# : 5))
oracles=("$oracle" "$@")
files=(file=1 "$output") # as words for awk, which is told the number of each
for each in "${!oracles[@]}"; do files+=("file=$((each + 2))" "${oracles[each]}"); done

if [ ! -f "$output" ]; then
    echo "the tool has left no $(basename "$output")"
    exit 1
fi

# Of each tool: the condition of the oracle's lines, and what they have; the same of the tool's.
case $tool in
branch)
    expected='$4 != "-"' of_expected='$4 "\t" $5'
    found='$2 > 0 || $3 > 0' of_found='$2 "\t" $3'
    ;;
audit)
    # Load-locked instructions (opcodes 2a and 2b) are excluded: no code can run between them and their store.
    expected='$6 != "-" && $7 > 0 && $2 !~ /^a[89a-f]/' of_expected='$7 "\t" $6'
    found='$2 > 0 || $3 > 0' of_found='$2 "\t" $3'
    ;;
prof)
    expected=1 of_expected='$3'
    found='$2 > 0' of_found='$2'
    ;;
cache)
    awk -F'\t' '
        file == 1 { if ($1 == "L1") found["references"] = $2; if ($1 == "L1") found["misses"] = $3; next }
        /^# (references|misses) / { split($0, word, " "); n[word[2]]++
            if (n[word[2]] == 1) expected[word[2]] = word[3]; else if (expected[word[2]] != word[3]) other[word[2]] }
        END {
            for (what in expected) if (!(what in other)) {
                compared++
                if (found[what] != expected[what]) { print "< " what "\t" expected[what]; print "> " what "\t" found[what]; status = 1 }
            }
            if (!compared) { print "the oracle has nothing to compare with"; status = 1 }
            exit status
        }' "${files[@]}"
    exit
    ;;
*)
    echo "counts.sh: no such tool: $tool"
    exit 1
    ;;
esac

# Function symbols: lines ADDRESS <tab> 0 <tab> NAME.
symbols=
[ "$tool" != prof ] && [ -z "$stable$left_out" ] || symbols=$(alpha-linux-gnu-readelf -sW "$program" |
    awk '($4 == "FUNC" || ($4 == "NOTYPE" && $3 > 0)) && $(NF - 1) != "UND" { print "0x" $2 "\t0\t" $NF }')
# All lines by their addresses, which have 16 digits, so that they sort as text: symbols, 0; the tool's, 1; each oracle's, 2 and more.
{
    [ -z "$symbols" ] || printf '%s\n' "$symbols"
    awk -F'\t' -v tool="$tool" '
        function pad(pc) { pc = tolower(substr(pc, 3)); return "0x" substr("0000000000000000", 1, 16 - length(pc)) pc }
        !/^0x/ { next }
        file > 1 { if ('"$expected"') print pad($1) "\t" file "\t" '"$of_expected"'; next }
        { pc = pad($1); twice += pc in seen; seen[pc]; if (pc <= last) first = rows; last = pc
          line[rows++] = '"$found"' ? pc "\t1\t" '"$of_found"' : "" }
        END {
            # Of forked children, whose lines may be there first, nothing is compared.
            for (i = twice && tool != "prof" ? first : 0; i < rows; i++) if (line[i] != "") print line[i]
        }' "${files[@]}"
} | sort | awk -F'\t' -v tool="$tool" -v stable="$stable" -v left_out="${left_out:-^$}" -v all="$([ -n "$stable$left_out" ] || echo 1)" \
    -v oracles=${#oracles[@]} '
    # A procedure extends from its address to the next one. Procedures that only the tool has found, without a symbol, count as well,
    # because the tool lists all executed procedures.
    function flush(k) {
        for (k = 2; k <= oracles + 1; k++) if (sum[k]) { if (inside_start) wanted[k, start] = sprintf("%.0f", sum[k]); sum[k] = 0 }
    }
    function place(pc) { if (pc != order[places]) order[++places] = pc }
    { pc = $1 }
    $2 == 0 {
        if (pc != boundary) inside = 0
        boundary = pc
        if ($3 ~ stable && $3 !~ left_out) inside = 1
        if (tool == "prof" && pc != start) { flush(); start = pc }
        inside_start = all || inside
        place(pc)
        next
    }
    $2 == 1 {
        if (tool == "prof" && pc != start) { flush(); start = pc; inside_start = all || inside }
        if (all || inside) { place(pc); again += pc in got; got[pc] = $3 (NF > 3 ? "\t" $4 : "") }
        next
    }
    tool == "prof" { sum[$2] += $3; next }
    all || inside { place(pc); wanted[$2, pc] = $3 "\t" $4 }
    END {
        flush()
        for (i = 1; i <= places; i++) {
            pc = order[i]
            agreed = (2, pc) in wanted
            for (k = 3; agreed && k <= oracles + 1; k++) agreed = (k, pc) in wanted && wanted[k, pc] == wanted[2, pc]
            compared += agreed
            # If the runs differ, this run may also have taken a path that none of the others took.
            if (oracles > 1 && !agreed) continue
            if (agreed && !(pc in got && got[pc] == wanted[2, pc])) { print "< " pc "\t" wanted[2, pc]; status = 1 }
            if (pc in got && !(agreed && got[pc] == wanted[2, pc])) { print "> " pc "\t" got[pc]; status = 1 }
        }
        if (again) { print "> " again " lines that occur twice"; status = 1 }
        if (!compared) { print "the oracle has nothing to compare with"; status = 1 }
        exit status
    }' && status=0 || status=1

# Names must be the symbols' names where there are symbols, and percentages must be percentages of the whole.
if [ "$tool" = prof ]; then
    awk -F'\t' '
        function pad(pc) { pc = tolower(substr(pc, 3)); return "0x" substr("0000000000000000", 1, 16 - length(pc)) pc }
        FILENAME == "-" { names[$1] = names[$1] "\t" $3 "\t"; next }
        /^0x/ { row[++rows] = $0; total += $2 }
        END {
            for (i = 1; i <= rows; i++) {
                split(row[i], field, "\t")
                pc = pad(field[1])
                if (pc in names && !index(names[pc], "\t" field[4] "\t")) { print "> name of " row[i]; status = 1 }
                off = field[3] - 100 * field[2] / total
                if (off > 0.06 || off < -0.06) { print "> percentage of " row[i]; status = 1 }
            }
            exit status
        }' - "$output" <<<"$symbols" || status=1
fi
exit "$status"
