#!/bin/bash
# tools_audit.sh: audit against the oracle's registers and memory of the uninstrumented program: each load and each store.
# Requires: atomc (ATOMC), the oracle, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

# Lines ADDRESS, executions, redundant or silent ones; not of locked instructions and VAX numbers.
audited() { # FILE
    awk -F'\t' 'BEGIN { OFS = FS } !/^0x/ || $2 ~ /^(a[89a-f]|b[89a-f]|8[0-7]|9[0-7])/ { next }
        $7 != "-" && $7 > 0 { print $1, $7, $6 } $8 != "-" { print $1, $3, $8 }' "$1" | sort
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/audit/$1-$2/$3
    for run in first second; do
        run_plain "$1" -singlestep -plugin "$BUILD/tests/oracle.so,out=$base/oracle.txt,registers=on,values=on"
        audited "$base/oracle.txt" >"$base/$run"
        sleep 1
    done
    # What a process number or the time is made into differs from run to run.
    sort "$base/first" "$base/second" | uniq -u | cut -f1 | sort -u >"$base/unsteady"
    if [ $((100 * $(wc -l <"$base/unsteady"))) -gt "$(wc -l <"$base/first")" ]; then
        failed "$test/steady" "more than a hundredth of the places differ from run to run" "$base/unsteady"
    fi
    join -t'	' -v 1 "$base/first" "$base/unsteady" >"$base/expected"
    # As for values: registers that nobody has set, and stacks that are read before they are written.
    if run_tool "$test" "$1" audit -D stores=true --no-liveness --stack=own; then
        sed 1d "$base/found/files/audit.out" | cut -f1-3 >"$base/rows"
        sed 1d "$base/found/files/audit.stores.out" | cut -f1-3 >>"$base/rows"
        sort "$base/rows" | join -t'	' -v 1 - "$base/unsteady" >"$base/known.rows"
        equal "$test" "$base/expected" "$base/known.rows"
    fi
}

# Loads that fault: the handler finds what the program needs, and puts something there; with each way of keeping
# registers, and all counts as the oracle has them.
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax tests/tools/faults.c tests/tools/faults.S -o "$base/faults"
(cd "$base" && "$QEMU" ./faults >faults.plain &&
    "$QEMU" -singlestep -plugin "$(realpath "$BUILD")/tests/oracle.so,out=faults.oracle,registers=on" ./faults >faults.counted)
audited "$base/faults.oracle" >"$base/expected"
for flags in "" --no-observations --no-borrowing --no-placement --poison --stack=program; do
    test=tools/audit/faults$flags
    # shellcheck disable=SC2086
    if "$ATOMC" -t audit $flags "$base/faults" -o "$base/faults.audit" >"$base/log" 2>&1 &&
        (cd "$base" && "$QEMU" ./faults.audit >faults.found); then
        equal "$test/same" "$base/faults.plain" "$base/faults.found"
        awk -F'\t' '$4 == "loads" { print $1 "\t" $2 "\t" $3 }' "$base/audit.out" >"$base/rows"
        # Loads that always fault are not in the oracle's.
        join -t'	' -j 1 "$base/expected" "$base/rows" | cut -f1-3 >"$base/loads"
        join -t'	' -j 1 -o 2.1,2.2,2.3 "$base/expected" "$base/rows" >"$base/completed"
        equal "$test" "$base/loads" "$base/completed"
    else
        failed "$test" "it does not run" "$base/log"
    fi
done
# What a parameter leaves out costs nothing: no site of a store is left.
"$ATOMC" --dump=sites -t audit "$base/faults" >"$base/sites"
if grep -q redundant "$base/sites" && ! grep -q -e silent -e stored "$base/sites"; then
    passed tools/audit/stores
else
    failed tools/audit/stores "stores are looked at without -D stores"
fi

each_workload check "lzip-O2:damaged mawk-O2:words"
[ "$failures" = 0 ]
