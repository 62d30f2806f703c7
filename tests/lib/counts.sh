#!/bin/bash
# counts.sh: compares what a stock tool counted with what the oracle counted, for every PC or procedure.
# Requires: a file of tests/oracle/oracle.c made with registers=on and cache=on; alpha-linux-gnu-readelf, awk.
#
# Use: counts.sh TOOL ORACLE OUTPUT PROGRAM [STABLE]; prints the differences, < expected, > found; exit status 0 if
# there are none. With STABLE, a regular expression, only procedures whose names match are compared.
#
# Expected of the tools:
#   branch   btaken.out   0xPC <tab> taken <tab> not taken, after one line of heading
#   prof     prof.out     0xPC <tab> instructions <tab> percentage <tab> name
#   audit    audit.out    0xPC <tab> executed <tab> redundant
#   cache    cache.out    L1 <tab> references <tab> misses, after one line of heading (the rest: tools_cache.sh)
# Lines of what was never executed may be there or not; lines that do not begin with 0x are headings. A file may hold
# those of forked children first, which share it: the last lines in ascending order are compared.
set -eu -o pipefail
export LC_ALL=C
tool=$1
oracle=$2
output=$3
program=$4
stable=${5:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Addresses as 0x and 16 digits, so that they sort as text.
pad='function pad(pc) { pc = tolower(substr(pc, 3)); while (length(pc) < 16) pc = "0" pc; return "0x" pc }'

# Function symbols: address <tab> size <tab> name, by address.
symbols() {
    alpha-linux-gnu-readelf -sW "$program" |
        awk '$4 == "FUNC" && $(NF - 1) != "UND" { print "0x" $2 "\t" $3 "\t" $NF }' | sort -u
}

# Those lines of standard input (PC first) that lie in procedures whose names match.
stable_only() {
    if [ -z "$stable" ]; then
        cat
        return
    fi
    awk -v stable="$stable" -F'\t' '{ print $1 "\t \t" ($3 ~ stable ? "yes" : "no") }' "$scratch/symbols" \
        >"$scratch/boundaries"
    sort -t'	' -k1,2 "$scratch/boundaries" - |
        awk -F'\t' '$2 == " " { if ($1 != last) inside = ""; last = $1; inside = inside $3; next } inside ~ /yes/'
}

# Differences between the expected lines and the found ones.
compare() {
    if [ ! -s "$scratch/expected" ]; then
        echo "the oracle has nothing to compare with"
        status=1
    elif ! cmp -s "$scratch/expected" "$scratch/found"; then
        diff "$scratch/expected" "$scratch/found" | grep '^[<>]' || true
        status=1
    fi
}

# per_pc FILTER: the lines PC, number, number of tool and oracle must be the same.
per_pc() {
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ && '"$1" "$oracle" | stable_only | sort >"$scratch/expected"
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ && ($2 > 0 || $3 > 0) { print pad($1), $2, $3 }' "$output" |
        stable_only | sort >"$scratch/found"
}

# The procedures that were executed, with the sum of their instructions. A procedure reaches from its address to the
# next one's; those that only the tool knows (it has found them without a symbol) count as well: it lists all that
# were executed, and the others do not matter.
prof() {
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ && $2 > 0 { print pad($1), $2 }' "$output" | sort \
        >"$scratch/rows"
    {
        cut -f1 "$scratch/symbols"
        cut -f1 "$scratch/rows"
    } | sort -u | sed 's/$/	 /' >"$scratch/starts"
    awk -F'\t' "$pad"' BEGIN { OFS = FS } /^0x/ { print pad($1), $3 }' "$oracle" | sort -t'	' -k1,2 \
        "$scratch/starts" - | awk -F'\t' 'function flush() { if (sum) printf "%s\t%.0f\n", start, sum }
            $2 == " " { flush(); start = $1; sum = 0; next }
            { sum += $2 }
            END { flush() }' | stable_only | sort >"$scratch/expected"
    stable_only <"$scratch/rows" | sort >"$scratch/found"
}

# Names must be the symbols' where there are any, and percentages those of the whole.
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

cache() {
    sed -n 's/^# \(references\|misses\) /\1 /p' "$oracle" >"$scratch/expected"
    awk -F'\t' '$1 == "L1" { print "references", $2; print "misses", $3 }' "$output" >"$scratch/found"
}

if [ ! -f "$output" ]; then
    echo "the tool has left no $(basename "$output")"
    exit 1
fi
symbols >"$scratch/symbols"
if [ "$tool" = branch ] || [ "$tool" = audit ]; then
    awk -F'\t' "$pad"'!/^0x/ { next } { pc = pad($1) } pc <= last { rows = 0 } { last = pc; row[++rows] = $0 }
        END { for (i = 1; i <= rows; i++) print row[i] }' "$output" >"$scratch/output"
    output=$scratch/output
fi
status=0
case $tool in
branch)
    per_pc '$4 != "-" { print pad($1), $4, $5 }'
    compare
    ;;
audit)
    # Not load-locked ones (opcodes 2a and 2b): nothing can run between them and their store.
    per_pc '$6 != "-" && $7 > 0 && $2 !~ /^a[89a-f]/ { print pad($1), $7, $6 }'
    compare
    ;;
prof)
    prof
    compare
    prof_names >"$scratch/names"
    [ ! -s "$scratch/names" ] || status=1
    cat "$scratch/names"
    ;;
cache)
    cache
    compare
    ;;
*)
    echo "counts.sh: no such tool: $tool"
    status=1
    ;;
esac
exit "$status"
