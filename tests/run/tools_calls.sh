#!/bin/bash
# tools_calls.sh: gprof and hiprof against activations of our own, from the calls, returns and jumps in the oracle's record
# of the uninstrumented program: each procedure, each arc, each stack. Among the programs are some that longjmp and throw.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

# Costs and calls of a callgrind file; procedures of the same name are one.
read_callgrind() {
    awk '/^fn=/ { fn = substr($0, 4); gsub(/ /, "_", fn); getline; self[fn] += $2 }
        /^cfn=/ { callee = substr($0, 5); gsub(/ /, "_", callee) }
        /^calls=/ { split($0, part, /[= ]/); getline; arc = fn "\t" callee; calls[arc] += part[2]; total[arc] += $2 }
        END { for (fn in self) if (self[fn]) print "self\t" fn "\t" self[fn]
            for (arc in calls) print "arc\t" arc "\t" calls[arc] "\t" total[arc] }' "$1" | sort
}

# The same of replay's lines.
read_replay() {
    awk -F'\t' '$1 == "self" { self[$2] += $3 }
        $1 == "arc" && $2 != "-" { arc = $2 "\t" $3; calls[arc] += $4; total[arc] += $5 }
        END { for (fn in self) print "self\t" fn "\t" self[fn]
            for (arc in calls) print "arc\t" arc "\t" calls[arc] "\t" total[arc] }' "$1" | sort
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/gprof/$1-$2/$3
    list_procedures
    replay "$base/expected.raw" calls
    read_replay "$base/expected.raw" >"$base/expected"
    if run_tool "$test" "$1" gprof -D callgrind=true; then
        read_callgrind "$base/found/files/gprof.out.callgrind" >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
        # Both tables of the listing: self of each procedure; self and children of its entry make up its callers' sum.
        awk -F'\t' '$1 == "self" { print $2, $3 }' "$base/expected" | sort >"$base/selves"
        awk '/Call graph/ { exit } flat && NF > 3 && $3 > 0 { name = $NF; if (NF > 7) { name = $7; for (i = 8; i <= NF; i++) name = name "_" $i }
            sum[name] += $3 } /^ time/ { flat = 1 } END { for (name in sum) print name, sum[name] }' "$base/found/files/gprof.out" | sort >"$base/rows"
        equal "$test/flat" "$base/selves" "$base/rows"
    fi
    test=tools/hiprof/$1-$2/$3
    replay "$base/expected.raw" calls depth=20
    awk '{ cost = $NF; sub(/ [0-9]+$/, ""); sum[$0] += cost } END { for (stack in sum) print stack, sum[stack] }' "$base/expected.raw" |
        sort >"$base/expected"
    if run_tool "$test" "$1" hiprof -D depth=20 -D folded=true; then
        awk '{ cost = $NF; sub(/ [0-9]+$/, ""); gsub(/ /, "_"); sum[$0] += cost } END { for (stack in sum) print stack, sum[stack] }' \
            "$base/found/files/hiprof.out.folded" | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
}

each_workload check "lzip-O2:damaged lua-O2:errors"

# Threads are told apart: each of the example's four calls add 10000 times, through its own stack.
cp docs/examples/threads.c docs/examples/queens.c "$base"
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$base/threads.c" -o "$base/threads"
if "$ATOMC" -t hiprof -D folded=true -D least=0 "$base/threads" -o "$base/threads.atom" >"$base/log" 2>&1 &&
    (cd "$base" && timeout 120 "$(command -v "$QEMU")" ./threads.atom >"$base/log" 2>&1); then
    printf '%s\n' 10000 10000 10000 10000 >"$base/expected"
    awk '/^Thread/ { tree = 1 } tree && $5 == "add" { print $4 }' "$base/hiprof.out" >"$base/rows"
    equal tools/hiprof/threads "$base/expected" "$base/rows"
    cut -d';' -f1 "$base/hiprof.out.folded" | sort -u | wc -l >"$base/rows"
    echo 5 >"$base/expected"
    equal tools/hiprof/threads/stacks "$base/expected" "$base/rows"
else
    failed tools/hiprof/threads "it does not run" "$base/log"
fi

# What callgrind_annotate reads has the sums of the profile: of hiprof, with all that is called, of gprof alone.
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$base/queens.c" -o "$base/queens"
for tool in gprof hiprof; do
    if ! command -v callgrind_annotate >/dev/null; then
        skipped "tools/$tool/callgrind_annotate" "callgrind_annotate is not installed (Debian's package valgrind)"
    elif "$ATOMC" -t "$tool" -D callgrind=true "$base/queens" -o "$base/queens.atom" >"$base/log" 2>&1; then
        (cd "$base" && "$(command -v "$QEMU")" ./queens.atom >"$base/log" && callgrind_annotate --inclusive=yes --threshold=100 \
            "$tool.out.callgrind" >annotated 2>&1) || true
        printf '%s\n' is_safe:27276 main:43058 place:41689 >"$base/expected"
        sed -n 's/,//g; s/^ *\([0-9]*\) ([^)]*).*:\(main\|place\|is_safe\)\( .*\)*$/\2:\1/p' "$base/annotated" | sort -u >"$base/rows"
        equal "tools/$tool/callgrind_annotate" "$base/expected" "$base/rows"
    else
        failed "tools/$tool/callgrind_annotate" "atomc failed" "$base/log"
    fi
done
[ "$failures" = 0 ]
