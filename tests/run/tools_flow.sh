#!/bin/bash
# tools_flow.sh: loops, callgraph and args against the oracle's counts and its record of the uninstrumented program.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

# Numbers of values by procedure and power of two, from lines ADDRESS VALUE TIMES.
by_power() {
    awk -F'\t' 'NR == FNR { name[$1] = $2; next }
        { low = $2 < 0 ? "negative" : $2 == 0 ? 0 : 1
          if (low == 1) for (left = $2; left >= 2; left = int(left / 2)) low *= 2
          sum[name[$1] "\t" low] += $3 }
        END { for (key in sum) printf "%s\t%.0f\n", key, sum[key] }' "$base/procedures" "$1" | sort
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/loops/$1-$2/$3 files=$base/found/files
    list_places headers
    list_procedures
    cut -f1 "$base/procedures" | sort >"$base/known"
    entry_points | sort | join -t'	' - "$base/known" >"$base/entries"
    replay "$base/replayed" values kind=argument entries="$base/entries"
    grep '^0x' "$base/oracle.txt" | cut -f1,3 | sort >"$base/executed"
    if run_tool "$test" "$1" loops; then
        sort "$base/headers" | join -t'	' - "$base/executed" | awk -F'\t' '$3 > 0 { print $1 "\t" $2 "\t" $3 }' | sort >"$base/expected"
        sed 1d "$files/loops.out" | cut -f1,2,4 | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
    test=tools/callgraph/$1-$2/$3
    if run_tool "$test" "$1" callgraph; then
        # jsr and jsr_coroutine, bsr.
        awk -F'\t' '/^0x/ && ($2 ~ /^(6[89ab]..[4567cdef]|d[0-3])/) { print $1 "\t" $3 }' "$base/oracle.txt" | sort >"$base/calls"
        awk -F'\t' 'NR == FNR { start[++n] = $1; name[n] = $2; next }
            { while (at < n && start[at + 1] <= $1) at++; sum[name[at]] += $2 }
            END { for (p in sum) printf "%s\t%.0f\n", p, sum[p] }' "$base/procedures" "$base/calls" | sort >"$base/expected"
        sed -e 1d -e '/^total/d' "$files/callgraph.out" | cut -f1,3 | tr ' ' _ |
            awk -F'\t' '{ sum[$1] += $2 } END { for (p in sum) printf "%s\t%.0f\n", p, sum[p] }' | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
    test=tools/args/$1-$2/$3
    if run_tool "$test" "$1" args --no-liveness --stack=own -D procedures='*'; then
        by_power "$base/replayed" >"$base/expected"
        # Of the procedures whose entries can be told, by their names.
        cut -f1 "$base/entries" | sort -u | join -t'	' - <(sort "$base/procedures") | cut -f2 | sort | uniq >"$base/names"
        cut -f2 "$base/procedures" | sort | uniq -d >"$base/twice"
        comm -23 "$base/names" "$base/twice" >"$base/once"
        join -t'	' "$base/once" "$base/expected" >"$base/expected.once"
        sed 1d "$files/args.out" | tr ' ' _ | awk -F'\t' '{ print $1 "\t" ($2 < 0 ? "negative" : $2) "\t" $4 }' | sort |
            join -t'	' "$base/once" - >"$base/rows"
        equal "$test" "$base/expected.once" "$base/rows"
    fi
}

# dot reads what callgraph writes for it: each arc once, with its calls.
if ! command -v dot >/dev/null; then
    skipped tools/callgraph/dot "dot is not installed (Debian's package graphviz)"
else
    cp docs/examples/queens.c "$base"
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$base/queens.c" -o "$base/queens"
    if "$ATOMC" -t callgraph -D dot=true "$base/queens" -o "$base/queens.atom" >"$base/log" 2>&1 &&
        (cd "$base" && "$(command -v "$QEMU")" ./queens.atom >"$base/log" && dot -Tplain callgraph.dot >plain.dot) 2>"$base/log"; then
        sed -e 1d -e '/^total/d' "$base/callgraph.out" | awk -F'\t' '$2 != "" { print $1, $2, $3 }' | sort >"$base/expected"
        awk '$1 == "edge" { gsub(/"/, ""); print $2, $3, $(5 + 2 * $4) }' "$base/plain.dot" | sort >"$base/rows"
        equal tools/callgraph/dot "$base/expected" "$base/rows"
    else
        failed tools/callgraph/dot "it fails" "$base/log"
    fi
fi

each_workload check "bzip2-O2:decompress lzip-O2:damaged"
[ "$failures" = 0 ]
