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
# Lines of what was never executed may be there or not; lines that do not begin with 0x are headings. A file may contain
# lines of forked children first: if a line occurs twice, the last lines in ascending order are compared.
set -eu -o pipefail
export LC_ALL=C
tool=$1
oracle=$2
output=$3
program=$4
stable=${5:-} left_out=${LEFT_OUT:-}
shift $(($# < 5 ? $# : 5))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Addresses as 0x and 16 digits, so that they sort as text.
pad='function pad(pc) { pc = tolower(substr(pc, 3)); while (length(pc) < 16) pc = "0" pc; return "0x" pc }'

# Function symbols: address <tab> size <tab> name, by address.
symbols() {
    alpha-linux-gnu-readelf -sW "$program" |
        awk '$4 == "FUNC" && $(NF - 1) != "UND" { print "0x" $2 "\t" $3 "\t" $NF }' | sort -u
}

# The lines of standard input (PC first) that belong to procedures whose names match.
stable_only() {
    if [ -z "$stable$left_out" ]; then
        cat
        return
    fi
    awk -v stable="$stable" -v left_out="${left_out:-^$}" -F'\t' \
        '{ print $1 "\t \t" ($3 ~ stable && $3 !~ left_out ? "yes" : "no") }' "$scratch/symbols" \
        >"$scratch/boundaries"
    sort -t'	' -k1,2 "$scratch/boundaries" - |
        awk -F'\t' '$2 == " " { if ($1 != last) inside = ""; last = $1; inside = inside $3; next } inside ~ /yes/'
}

# Differences between the expected lines, of all oracles, and the found lines. FUNCTION prints the lines of one of them.
compare() { # FUNCTION ORACLE...
    local function=$1 other
    $function "$oracle" >"$scratch/expected"
    shift
    for other in "$@"; do
        $function "$other" >"$scratch/other"
        comm -12 "$scratch/expected" "$scratch/other" >"$scratch/agreed"
        mv "$scratch/agreed" "$scratch/expected"
    done
    # If the runs differ, this run may also have taken a path that none of the others took.
    if [ $# -gt 0 ]; then
        awk -F'\t' 'FILENAME != "-" { agreed[$1]; next } $1 in agreed' "$scratch/expected" - <"$scratch/found" >"$scratch/other"
        mv "$scratch/other" "$scratch/found"
    fi
    if [ ! -s "$scratch/expected" ]; then
        echo "the oracle has nothing to compare with"
        status=1
    elif ! cmp -s "$scratch/expected" "$scratch/found"; then
        diff "$scratch/expected" "$scratch/found" | grep '^[<>]' || true
        status=1
    fi
}

# The lines PC, number, number of tool and oracle must be the same; filter selects and prints the oracle's.
expected_per_pc() { # ORACLE
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ && '"$filter" "$1" | stable_only | sort
}
found_per_pc() {
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ && ($2 > 0 || $3 > 0) { print pad($1), $2, $3 }' "$output" |
        stable_only | sort >"$scratch/found"
}

# The executed procedures, with the sum of their instructions. A procedure extends from its address to the next
# procedure's address. Procedures that only the tool has found, without a symbol, count as well, because the tool lists
# all executed procedures.
found_prof() {
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ && $2 > 0 { print pad($1), $2 }' "$output" | sort \
        >"$scratch/rows"
    {
        cut -f1 "$scratch/symbols"
        cut -f1 "$scratch/rows"
    } | sort -u | sed 's/$/	 /' >"$scratch/starts"
    stable_only <"$scratch/rows" | sort >"$scratch/found"
}
expected_prof() { # ORACLE
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ { print pad($1), $3 }' "$1" | sort -t'	' -k1,2 \
        "$scratch/starts" - | awk -F'\t' 'function flush() { if (sum) printf "%s\t%.0f\n", start, sum }
            $2 == " " { flush(); start = $1; sum = 0; next }
            { sum += $2 }
            END { flush() }' | stable_only | sort
}

# Names must be the symbols' names where there are symbols, and percentages must be percentages of the whole.
prof_names() {
    awk -F'\t' "$pad"'
        FNR == NR { names[$1] = names[$1] "\t" $3 "\t"; next }
        /^0x/ { row[++rows] = $0; total += $2 }
        END {
            for (i = 1; i <= rows; i++) {
                split(row[i], field, "\t")
                pc = pad(field[1])
                if (pc in names && !index(names[pc], "\t" field[4] "\t")) print "> name of " row[i]
                off = field[3] - 100 * field[2] / total
                if (off > 0.06 || off < -0.06) print "> percentage of " row[i]
            }
        }' "$scratch/symbols" "$output"
}

expected_cache() { # ORACLE
    sed -n 's/^# \(references\|misses\) /\1	/p' "$1" | sort
}
found_cache() {
    awk -F'\t' 'BEGIN { OFS = FS } $1 == "L1" { print "misses", $3; print "references", $2 }' "$output" >"$scratch/found"
}

if [ ! -f "$output" ]; then
    echo "the tool has left no $(basename "$output")"
    exit 1
fi
symbols >"$scratch/symbols"
if [ "$tool" = branch ] || [ "$tool" = audit ]; then
    awk -F'\t' "$pad"'!/^0x/ { next } { pc = pad($1); twice += pc in seen; seen[pc] } pc <= last { first = rows + 1 }
        { last = pc; row[++rows] = $0 } END { for (i = twice ? first : 1; i <= rows; i++) print row[i] }' "$output" >"$scratch/output"
    output=$scratch/output
fi
status=0
case $tool in
branch)
    filter='$4 != "-" { print pad($1), $4, $5 }'
    found_per_pc
    compare expected_per_pc "$@"
    ;;
audit)
    # Load-locked instructions (opcodes 2a and 2b) are excluded: no code can run between them and their store.
    filter='$6 != "-" && $7 > 0 && $2 !~ /^a[89a-f]/ { print pad($1), $7, $6 }'
    found_per_pc
    compare expected_per_pc "$@"
    ;;
prof)
    found_prof
    compare expected_prof "$@"
    prof_names >"$scratch/names"
    [ ! -s "$scratch/names" ] || status=1
    cat "$scratch/names"
    ;;
cache)
    found_cache
    compare expected_cache "$@"
    ;;
*)
    echo "counts.sh: no such tool: $tool"
    status=1
    ;;
esac
exit "$status"
