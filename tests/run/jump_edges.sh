# jump_edges: actions on the edges of indirect jumps: the counts are the oracle's, and all other results equal those of
# comparisons with each target (--without=target-tables). The cost is the same for any number of targets.
. "$tests/lib/dynamic.sh"
interpreter() { # NAME FORM OPERATIONS: NAME.c
    awk -v form="$2" -v operations="$3" -f "$tests/data/interpreter.awk" >"$1.c"
}
interpreter switch switch 250
interpreter labels labels 40
# A dynamic program has less to instrument.
build() { # OUTPUT WORD...
    $(pick shared alpha) "$@" -no-pie
}
export QEMU_LD_PREFIX=$libraries
build switch -DLENGTH=3000 switch.c
build labels -DLENGTH=3000 labels.c
build nested "$tests/data/nested_jumps.c"
build threads -DLENGTH=3000 -DTWICE labels.c -pthread
shared dynamic -DLENGTH=3000 labels.c
# With two threads, the order of their actions differs each time.
cat >threads.atd <<'END2'
tool jump_edges "what depends on no order"
counter n[edges], among[edges], weight, entered[loops], repeated[loops], left[loops]
for e in edges where e.from.proc.name == "interpret" {
    on e n[e]++, weight += e.to.ninsts * 3 - 100
    on e when e.to.ninsts > 10 among[e] -= 5
}
for l in loops where l.proc.name == "interpret" {
    on entry l  entered[l]++
    on back l   repeated[l]++
    on exit l   left[l] += l.depth
}
report "edges.out" for e in edges where n[e] > 0 "From" hex e.from.last.pc, "To" hex e.to.pc, "N" n[e], "Among" among[e]
report "turns.out" for l in loops where entered[l] > 0 "PC" hex l.pc, "Entered" entered[l], "Repeated" repeated[l], "Left" left[l]
report "sums.out" "Weight" weight
END2

# For each jump, the counts of its edges equal its executions.
cat >agrees.awk <<'END2'
FILENAME == "oracle.txt" { executed[$1] = $3; next }
FNR > 1 && $3 == "table" { sum[$1] += $5; edges++ }
END {
    for (jump in sum)
        if (sum[jump] != executed[jump]) { print jump ": " sum[jump] " on its edges, executed " executed[jump]; bad = 1 }
    exit bad || edges < 100
}
END2
results() { # RESULT EXECUTABLE: its output, and the reports. Its name is the same for all: it is in the program's memory.
    rm -rf "$1" ./*.out && mkdir "$1" && mv "$2" tool
    qemu -seed 1 -L "$libraries" tool >"$1/printed"
    mv ./*.out "$1"
}
same_as_compared() { # PROGRAM PAGE FLAG...
    local test=$1${*:3}
    instrument tables "${@:3}" "$2" "$1" && results "tables.$1" tables
    instrument compared "${@:3}" --without=target-tables "$2" "$1" && results "compared.$1" compared
    check "$test/same" "diff -r 'compared.$1' 'tables.$1'"
    cmp -s "compared.$1/printed" <(qemu -seed 1 -L "$libraries" "$1") || failed "$test/printed" "not what the program prints"
    "$ATOMC" --dump=sites "$2" "$1" >sites
    check "$test/used" "grep -q 'n\[table of ' sites && [ \$(grep -c 'table of' sites) -gt 5 ]"
}
for program in switch labels nested $(pick "" dynamic); do
    same_as_compared $program "$tests/data/jump_edges.atd"
done
for flags in --without=liveness --stack=program --for=qemu --without=placement; do
    same_as_compared labels "$tests/data/jump_edges.atd" $flags
done
same_as_compared threads threads.atd
same_as_compared threads threads.atd --for=qemu
for program in switch labels; do
    target $program $program
    count_executions own && mv own.txt oracle.txt
    check "$program/counts" "awk -f agrees.awk oracle.txt tables.$program/edges.out"
done

# With 250 operations, each with a jump of its own, loops costs at most 1.7 times the program; and no more text for each
# jump than for 40 operations.
instructions() { # EXECUTABLE
    qemu -plugin "$BUILD/bench/plugins/count.so,out=count" "$1" >/dev/null && cat count
}
interpreter many labels 250
alpha many -DLENGTH=200000 many.c
instrument tool -t loops many
instrument compared -t loops --without=target-tables many
plain=$(instructions many) counted=$(instructions tool)
check loops/cost "[ $counted -lt $((plain * 17 / 10)) ]"
check loops/text "[ \$(stat -c %s compared) -gt \$((\$(stat -c %s tool) + 1500000)) ]"
