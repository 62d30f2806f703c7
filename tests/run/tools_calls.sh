#!/bin/bash
# tools_calls.sh: gprof and hiprof against the oracle's record of the uninstrumented program: all lines of gprof's listing
# against transfers counted one by one, hiprof against activations of our own: each procedure, each arc, each stack. Among the programs are some that longjmp and throw.
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

# gprof's listing, as replay prints arcs: what each entry says of its callers and of itself, procedures of the same name as
# one; and, in $base/turned, what each says of those it calls.
read_listing() {
    awk -v turned="$base/turned" '
        function number(text) { return text ~ /^[0-9]+$/ }
        function name_from(field,   text, i) {
            text = $field
            for (i = field + 1; i <= NF; i++) text = text "_" $i
            sub(/_\[[0-9]+\]$/, "", text); sub(/_<cycle_[0-9]+>$/, "", text)
            return text
        }
        function arc(i,   line, n, field) { # inside of a cycle only calls are known
            n = split(lines[i], field, " ")
            $0 = lines[i]
            if (number($1) && number($2)) { split($3, part, "/"); name = name_from(4); calls = part[1]; self = $1; children = $2 }
            else { name = name_from(2); calls = $1; self = children = 0 }
        }
        /^-----/ {
            $0 = lines[primary]
            if ($0 !~ /as a whole> \[[0-9]+\]$/) {
                split($5, part, "+"); entry = name_from(6)
                node[entry] = (++seen[entry] > 1); self_of[entry] += $3; children_of[entry] += $4; calls_of[entry] += part[1]; own_of[entry] += part[2]
                if (part[2]) { key = entry "\t" entry; calls_in[key] += part[2]; calls_out[key] += part[2]; self_in[key] += 0; self_out[key] += 0 }
                for (i = 1; i <= count; i++) {
                    if (i == primary) continue
                    arc(i)
                    if (i < primary) { key = name "\t" entry; calls_in[key] += calls; self_in[key] += self; children_in[key] += children }
                    else { key = entry "\t" name; calls_out[key] += calls; self_out[key] += self; children_out[key] += children }
                }
            }
            count = 0
            next
        }
        graph { lines[++count] = $0; if ($0 ~ /^\[/) primary = count }
        /^index/ { graph = 1 }
        END {
            for (entry in node) print "node\t" entry "\t" self_of[entry] "\t" children_of[entry] "\t" calls_of[entry] "\t" own_of[entry] + 0
            for (key in calls_in) print "arc\t" key "\t" calls_in[key] "\t" self_in[key] + 0 "\t" children_in[key] + 0
            for (key in calls_out) print "arc\t" key "\t" calls_out[key] "\t" self_out[key] + 0 "\t" children_out[key] + 0 >turned
        }' "$1" | sort
}

read_arcs() {
    awk -F'\t' '$1 == "node" { self[$2] += $3; children[$2] += $4; calls[$2] += $5; own[$2] += $6 }
        $1 == "arc" { arc = $2 "\t" $3; made[arc] += $4; its[arc] += $5; below[arc] += $6 }
        END { for (fn in self) print "node\t" fn "\t" self[fn] "\t" children[fn] "\t" calls[fn] "\t" own[fn]
            for (arc in made) print "arc\t" arc "\t" made[arc] "\t" its[arc] "\t" below[arc] }' "$1" | sort
}

# All that the listing says: of each procedure its entry, its callers and whom it calls; and the flat profile.
check_gprof() { # TEST NAME
    replay "$base/expected.raw" arcs
    read_arcs "$base/expected.raw" >"$base/expected"
    run_tool "$1" "$2" gprof -D callgrind=true || return 0
    read_listing "$base/found/files/gprof.out" >"$base/rows"
    equal "$1" "$base/expected" "$base/rows"
    grep "^arc" "$base/expected" | grep -v '<spontaneous>' >"$base/arcs"
    sort "$base/turned" >"$base/rows"
    equal "$1/callees" "$base/arcs" "$base/rows"
    awk -F'\t' '$1 == "node" && $3 { print "self\t" $2 "\t" $3 } $1 == "arc" && $2 != "<spontaneous>" { print "arc\t" $2 "\t" $3 "\t" $4 "\t" $5 + $6 }' \
        "$base/expected" | sort >"$base/costs"
    read_callgrind "$base/found/files/gprof.out.callgrind" >"$base/rows"
    equal "$1/callgrind" "$base/costs" "$base/rows"
    awk -F'\t' '$1 == "node" && $3 { print $2, $3 }' "$base/expected" | sort >"$base/selves"
    awk '/Call graph/ { exit } flat && NF > 3 && $3 > 0 { name = $NF; if (NF > 7) { name = $7; for (i = 8; i <= NF; i++) name = name "_" $i }
        sum[name] += $3 } /^ time/ { flat = 1 } END { for (name in sum) print name, sum[name] }' "$base/found/files/gprof.out" | sort >"$base/rows"
    equal "$1/flat" "$base/selves" "$base/rows"
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/hiprof/$1-$2/$3
    list_procedures
    check_gprof "tools/gprof/$1-$2/$3" "$1"
    replay "$base/expected.raw" calls
    read_replay "$base/expected.raw" >"$base/expected"
    if run_tool "$test/calls" "$1" hiprof -D depth=100000 -D callgrind=true; then
        read_callgrind "$base/found/files/hiprof.out.callgrind" >"$base/rows"
        equal "$test/calls" "$base/expected" "$base/rows"
    fi
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

# Who calls through pointers, and whom only the kernel calls.
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax tests/tools/callers.c -o "$base/callers"
if "$ATOMC" -t gprof "$base/callers" -o "$base/callers.atom" >"$base/log" 2>&1 &&
    (cd "$base" && timeout 120 "$(command -v "$QEMU")" ./callers.atom >"$base/log" 2>&1); then
    for i in $(seq 0 19); do
        calls=$((100 + (i < 4 ? 500 : 0)))
        printf '%s\n' "arc main work_$i $calls"
        [ "$i" -ge 3 ] || printf '%s\n' "arc tail work_$i 100"
    done | sort >"$base/expected"
    printf '%s\n' "arc <spontaneous> handle 7" "arc main tail 300" >>"$base/expected"
    sort -o "$base/expected" "$base/expected"
    read_listing "$base/gprof.out" | awk '$1 == "arc" && $3 ~ /^(work_.*|tail|handle)$/ { print $1, $2, $3, $4 }' | sort >"$base/rows"
    equal tools/gprof/callers "$base/expected" "$base/rows"
else
    failed tools/gprof/callers "it does not run" "$base/log"
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
        [ "$tool" = hiprof ] || sed -i '/main/d' "$base/expected" # what it calls has other callers too
        sed -n 's/,//g; s/^ *\([0-9]*\) ([^)]*).*:\(main\|place\|is_safe\)\( .*\)*$/\2:\1/p' "$base/annotated" | sort -u >"$base/rows"
        [ "$tool" = hiprof ] || sed -i '/main/d' "$base/rows"
        equal "tools/$tool/callgrind_annotate" "$base/expected" "$base/rows"
    else
        failed "tools/$tool/callgrind_annotate" "atomc failed" "$base/log"
    fi
done
[ "$failures" = 0 ]
