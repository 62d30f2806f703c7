# aarch64: static programs for AArch64 with tools that only count: their output, status and addresses are those without atomc, and
# each instruction's count is the emulator's. Missing features are refused by name.
# size: quick
command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null || {
    skipped all "no compiler, or no emulator, for AArch64"
    return
}
cp "$tests/aarch64/each.atd" "$tests/aarch64/keyed.atd" .
mkdir plain tools # names of one length: the stack has them
plugin=$BUILD/tests/addresses.so

# The counts by the plugin and by the tool: 0x and the address, the count. The emulator has code of its own above the text.
of_plugin() { # FILE
    awk 'length($1) <= 8 { print "0x" $1, $2 }' "$1" | sort
}
of_tool() { # FILE
    awk '/^0x/ { print $1, $2 }' "$1" | sort
}
emulate() { # OUTPUT ARGUMENTS... : OUTPUT.out with the status, OUTPUT.err
    local status=0
    timeout "$RUN_TIMEOUT" "$QEMU_AARCH64" -cpu max -0 program "${@:2}" >"$1.out" 2>"$1.err" || status=$?
    echo $status >>"$1.out"
}
one() { # NAME SOURCE... : with the compiler's options in `flags`
    local name=$1
    shift
    # shellcheck disable=SC2086
    ${compiler:-aarch64-linux-gnu-gcc} ${flags:--O2} -static "$@" -o plain/program -lm 2>compiled || {
        failed "$name" "not compiled" compiled
        return
    }
    emulate plain -plugin "$plugin,out=plugin.out" plain/program
    for kind in each keyed prof poison; do # poison, keyed: registers and flags that are dead are overwritten
        rm -f tools/program each.out prof.out
        case $kind in
        each) tool=each.atd ;;
        prof) tool='-t prof' ;;
        poison) tool='--poison -t prof' ;;
        keyed) tool="--poison $keyed keyed.atd" ;; # a call of the runtime at each instruction
        esac
        # shellcheck disable=SC2086
        "$ATOMC" $tool plain/program -o tools/program 2>atomc.err || {
            failed "$name/$kind" "refused" atomc.err
            return
        }
        emulate made tools/program
        check "$name/$kind/output" 'cmp plain.out made.out && cmp plain.err made.err'
    done
    rm -f each.out
    "$ATOMC" each.atd plain/program -o tools/program && emulate made tools/program
    of_plugin plugin.out >expected
    of_tool each.out >found
    same "$name/each/counts" expected found
    of_tool keyed.out >found
    same "$name/keyed/counts" expected found
    check "$name/prof/total" '[ "$(awk '\''$1 == "total" { print $2 }'\'' prof.out)" = \
        "$(awk '\''{ sum += $2 } END { print sum }'\'' plugin.out)" ]'
}
keyed=
one awkward "$tests"/aarch64/awkward.[cS]
keyed=--without=liveness # no register is free
flags=-O0 one unoptimized "$tests"/aarch64/awkward.[cS]
[ "$SIZE" = check ] || {
    flags='-O3 -march=armv8.2-a+sve -mbranch-protection=standard' one vectors "$tests"/aarch64/awkward.[cS]
    flags='-O2 -march=armv8.5-a+lse -fno-jump-tables' one newer "$tests"/aarch64/awkward.[cS]
}

# The count of a fault: without its check, this test must find a count that is wrong.
sed '1s/ [0-9]*$/ 77/' found >wrong
check finds/counts '! cmp -s expected wrong'

# Jump tables whose address or limit is found only if something else is known: with all their targets. Jumps that may go to any
# place of their function: each place is counted.
keyed=--poison
flags=-O2 one switches "$tests"/aarch64/switches.[cS]
"$ATOMC" --dump=cfg plain/program >cfg.out
awk '/^procedure/ { name = $3 } name ~ /^(limit|beyond|kept|exits|stored|entry|returns|popped|extended)$/ && (/; jump/ || /unknown-jump/) {
    print name, gsub(/ table/, "") - 1 }' cfg.out >found
prints switches/targets cat found <<'END'
limit 2
beyond 2
kept 3
exits 2
stored 2
entry 2
returns 2
popped 3
extended 3
END
awk '/^procedure/ { name = $3 } /unknown-jump/ && name ~ /^(changed|based|summed|vectored|tabled)$/ && !seen[name]++ { print name }' cfg.out >found
prints switches/unknown cat found <<'END'
changed
based
summed
vectored
tabled
END
# Computed gotos by differences of labels, through memory.
for level in O0 O2; do
    flags=-$level one labels-$level "$tests/data/label_differences.c"
done
# Callers keep no temporaries over calls of unknown code, but for one in glibc's assembly (x14 and x15).
awk '/^procedure/ { name = $3 } name == "limit" && /; return$/ { getline; print }' cfg.out >found
check switches/temporaries 'grep -w live: found && ! grep "\$9" found' found

# Transfers that authenticate their target: also with no free register, where the address was not signed, and where signals arrive.
flags='-O2 -march=armv8.3-a -mbranch-protection=standard'
keyed=--without=liveness one signed "$tests"/aarch64/signed.[cS]
cp plain/program signed
returned=0x$(aarch64-linux-gnu-nm signed | awk '$3 == "by_a_end" { sub(/^0*/, ""); print $1 }')
for tool in each.atd '-t prof' "--without=liveness keyed.atd"; do
    "$ATOMC" $tool signed -o tools/program
    for words in forged signals; do
        [ "$words$tool" != "signals--without=liveness keyed.atd" ] || [ "$SIZE" = all ] || continue # half a minute
        emulate plain plain/program $words
        emulate made tools/program $words
        check "signed/$words/${tool##* }" 'cmp plain.out made.out && [ $(wc -l <made.out) = 2 ]' made.out
    done
    [ "$tool" != each.atd ] || check signed/signals/count 'of_tool each.out | grep -x "$returned 500000"' each.out
done

# What the copies of calls, returns, addresses of pages and counts take: the instructions of a thousand iterations more.
aarch64-linux-gnu-gcc -static "$tests/aarch64/costs.S" -o plain/program
executed() { # PROGRAM ARGUMENT...
    "$QEMU_AARCH64" -plugin "$BUILD/bench/plugins/count.so,out=count" "$@" >/dev/null 2>&1
    cat count
}
plain=$(($(executed plain/program x) - $(executed plain/program)))
for limit in empty:3100 prof:10400; do
    "$ATOMC" -t ${limit%:*} plain/program -o tools/program
    added=$(($(executed tools/program x) - $(executed tools/program) - plain))
    echo "$added more than $plain" >found
    check costs/${limit%:*} '[ "$added" -gt 2500 ] && [ "$added" -le ${limit#*:} ]' found
done

# ---- computed values ----

gcc -I"$top" "$tests/aarch64/operators.c" "$top/plan/operators.c" -o operators
./operators tool >operators.atd
./operators values >expected
aarch64-linux-gnu-gcc -O2 -static "$tests/aarch64/computed.c" -o plain/program
"$ATOMC" operators.atd plain/program -o tools/program && emulate made tools/program
grep . values >found
check operators '[ "$(wc -l <expected)" -gt 10000 ] && diff expected found'

for flags in '' --without=liveness; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags "$tests/aarch64/computed.atd" plain/program -o tools/program && emulate made tools/program
    for what in numbers steps powers parts; do
        awk -v what=$what -f "$tests/aarch64/expected.awk" >expected
        grep . $what >found
        same "computed/$what$flags" expected found
    done
    # The outcomes of each branch add up to its count; where only the branch leads to the next instruction, the branches that
    # were not taken are that instruction's count.
    emulate plain -plugin "$plugin,out=plugin.out" plain/program
    aarch64-linux-gnu-objdump -d plain/program |
        awk -F'[\t ]+' '/<.*>/ { for (i = 5; i < NF; i++) if ($i ~ /^[0-9a-f]+$/) print $i }' >targets
    awk 'FILENAME == "targets" { target["0x" $1]; next }
        FILENAME == "plugin.out" { count["0x" $1] = $2; next }
        NF == 4 { branches++
            if ($2 + $3 != count[sprintf("0x%x", $1)]) { print "sum", $0 }
            next_one = sprintf("0x%x", $1 + 4)
            if (!(next_one in target)) { sure++; if ($3 != count[next_one] + 0) print "not taken", $0 } }
        END { if (sure < 200) print "only " sure " of " branches }' targets plugin.out outcomes >wrong
    check "computed/outcomes$flags" '! grep . wrong'
done

# The addresses of accesses, by all kinds of registers; arguments and results.
cat >accesses.atd <<'EOF'
tool accesses "the addresses of each access"
counter sums[insts], accesses[insts]
for i in insts where i.is_load or i.is_store {
    before i    sums[i] += $addr ^ ($addr >> 3), accesses[i]++
}
report "accesses" for i in insts where accesses[i] > 0 as "", i.pc, " ", accesses[i], " ", sums[i]
EOF
cat >passed.atd <<'EOF'
tool passed "arguments and results of called()"
counter arguments, results
for p in procs where p.name == "called" {
    before p    arguments += $a0
    after p     results += $ret
}
report "passed" as "", arguments, " ", results
EOF
emulate plain plain/program
sum=$(cat plain.out)
for flags in '' --without=liveness; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags passed.atd plain/program -o tools/program && emulate made tools/program
    check "computed/passed$flags" '[ "$(grep . passed)" = "2114596 ${sum%%[!0-9-]*}" ]' passed
done
aarch64-linux-gnu-gcc -O2 -static "$tests"/aarch64/awkward.[cS] -o plain/program
emulate plain -plugin "$plugin,out=plugin.out,accesses=touched" plain/program
sort touched >expected
for flags in '' --without=liveness; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags accesses.atd plain/program -o tools/program 2>/dev/null && emulate made tools/program
    grep . accesses | sort >found
    same "computed/addresses$flags" expected found
done

# ---- registers by name: before and after each instruction, all of them are equal to the emulator's log ---

# One path for both programs: it is in registers, too.
log_registers() { # PROGRAM OUTPUT OPTIONS...
    cp "$1" program
    timeout "$RUN_TIMEOUT" "$QEMU_AARCH64" -seed 1 -cpu cortex-a72 "${@:3}" program >"$2" 2>&1 || true
}
gcc -O2 "$tests/aarch64/registers.c" -o registers
aarch64-linux-gnu-gcc -O2 -static "$tests"/aarch64/awkward.[cS] -o plain/program -lm
names="$(seq -f 'x%.0f' 0 30) sp $(seq -f 'v%.0f' 0 31)"
{
    echo 'tool registers "sums of all registers" counter earlier[insts], later[insts]'
    echo 'set awkward = proc p where p.name in ("literals", "flags", "carried", "full", "computed",
        "tables", "labels", "up", "main")'
    echo 'for p in awkward { for i in p.insts {'
    for name in $names; do echo "before i earlier[i] = \$earlier[i] * 31 + \$($name)"; done
    echo '} }'
    echo 'for p in awkward { for i in p.insts where not (i.class in (condbr, uncondbr, jump, call, return)) {'
    for name in $names; do echo "after i later[i] = \$later[i] * 31 + \$($name)"; done
    echo '} }'
    echo 'report "registers.out" for i in insts where earlier[i] != 0 "PC" hex i.pc,
        "Before" hex earlier[i], "After" hex later[i]'
} >registers.atd
ranges=$(aarch64-linux-gnu-nm -S plain/program | awk '$4 ~ /^(literals|flags|carried|full|computed|tables|labels|up|main)$/ {
    printf "%s0x%s+0x%s", comma, $1, $2; comma = "," }')
log_registers plain/program plain.out -singlestep -d cpu,fpu,nochain -dfilter "$ranges" -D registers.log
./registers registers.log >logged
for flags in '' --without=liveness; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags registers.atd plain/program -o tools/program
    log_registers tools/program made.out
    same "registers$flags/output" plain.out made.out
    grep 0x registers.out >found # transfers have no sum after them
    awk -F '\t' -v OFS='\t' 'NR == FNR { later[$1] = $3; next }
        $1 in later { if (later[$1] == "0x0") $3 = "0x0"; print }' found logged >expected
    same "registers$flags" expected found
    check "registers$flags/most" '[ "$(wc -l <found)" -gt 400 ] && [ "$(grep -c -v "0x0$" found)" -gt 350 ]'
done

# Branches reach their targets where thousands of words are inserted at each instruction.
aarch64-linux-gnu-gcc -O1 -static "$tests"/aarch64/awkward.[cS] -o plain/reach -lm
sed 's/where p.name in (.*)/where p.pc >= 0x407000 and p.pc < 0x408000/' registers.atd >reach.atd
check reach/instrumented '"$ATOMC" reach.atd plain/reach -o tools/reach'
log_registers plain/reach expected
log_registers tools/reach made.out
same reach/output expected made.out

# The same within one block, after an address that its first instruction computes: its word would be out of the range of a load.
{
    echo 'tool distant "a long block" counter sums[insts]'
    echo 'for p in procs where p.name == "distant" { for i in p.insts {'
    for ((n = 0; n < 8; n++)); do echo "before i sums[i] = \$sums[i] * 31 + \$(x1)"; done
    echo '} } report "distant.out" for i in insts where sums[i] != 0 "PC" hex i.pc'
} >distant.atd
check distant/instrumented '"$ATOMC" distant.atd plain/reach -o tools/reach'
log_registers tools/reach made.out
same distant/output expected made.out

# Old values are those before the instruction; values of loads and stores are those of their registers.
"$ATOMC" "$tests/aarch64/values.atd" plain/program -o tools/program 2>/dev/null
log_registers tools/program made.out
awk -F '\t' '/^0x/ { print $1, $2, $4 }' values.out >expected
awk -F '\t' '/^0x/ { print $1, $3, $5 }' values.out >found
same values expected found
check values/most '[ "$(wc -l <found)" -gt 1000 ] && [ "$(grep -c -v " 0x0 " found)" -gt 100 ]'

# Memory: the value read before a load is the value that it loads, by its address or by another; 0 at unmapped addresses.
for flags in '' --poison; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags "$tests/aarch64/memory.atd" plain/program -o tools/program 2>/dev/null
    log_registers tools/program made.out
    same "memory$flags/output" plain.out made.out
    awk -F '\t' '/^0x/ { print $1, $2, $6, $6 }' memory.out >expected
    awk -F '\t' '/^0x/ { print $1, $3, $4, $5 }' memory.out >found
    same "memory$flags" expected found
    check "memory$flags/most" '[ "$(wc -l <found)" -gt 1000 ] && [ "$(grep -c -v " 0x0$" found)" -gt 300 ] &&
        grep -x 0 nothing.out' nothing.out
done
# audit: which loads there are, by the disassembly; how often they load the same again, by the plugin; how often the register held
# the value already, by the log; and stores that are silent leave memory as it was: in one program, as inserted code changes the
# memory below the stack pointer.
aarch64-linux-gnu-objdump -d plain/program | awk -F'[\t ,]+' '$4 ~ /^ld(u|t|a|la|ap|apu)?r(b|h|sb|sh|sw)?$/ && $5 !~ /^(q|[wx]zr)/ {
    number = substr($5, 2) + ($5 ~ /^[bhsd]/ ? 32 : 0); sub(":", "", $2); print "0x" $2, number }' | sort >loads
cat >stores.atd <<'END'
tool stores "stores that leave memory as it was"
counter was[insts], n[insts], same[insts]
for i in insts where i.is_store and not i.is_locked and i.mnemonic ~ "^ST(U|T|L|LL|LU)?R[BHWXSD]" {
    before i was[i] = $memory($addr, i.size)
    after i n[i]++, same[i] += $memory($addr, i.size) == $was[i]
}
report "stores.out" for i in insts where n[i] > 0 "PC" hex i.pc, "Executed" n[i], "Same" same[i]
END
ranges=$(aarch64-linux-gnu-nm -S plain/program | awk '$4 ~ /^(literals|flags|carried|full|computed|tables|labels|up|main|__printf_fp|__vfprintf_internal)$/ {
    printf "%s0x%s+0x%s", comma, $1, $2; comma = "," }')
log_registers plain/program plain.out -plugin "$plugin,out=plugin.out,repeats=repeats"
sort repeats | join loads - | awk '{ print $1, $3, $4 }' >expected
log_registers plain/program plain.out -singlestep -d cpu,fpu,nochain -dfilter "$ranges" -D registers.log
./registers registers.log loads | sort >held
for flags in '' --without=liveness $(pick '' --poison); do
    # shellcheck disable=SC2086
    "$ATOMC" $flags -t audit -D stores=true stores.atd plain/program -o tools/program
    log_registers tools/program made.out
    same "audit$flags/output" plain.out made.out
    awk -F '\t' '/^0x/ { print $1, $2, $5 }' audit.out | sort >found
    same "audit$flags/redundant" expected found
    awk -F '\t' '/^0x/ { print $1, $2, $3 }' audit.out | sort | join -o 1.1,1.2,1.3 - held >found
    same "audit$flags/held" held found
    grep ^0x stores.out | sort >same
    grep ^0x audit.out.stores | cut -f 1-3 | sort >found
    same "audit$flags/silent" same found
done
check audit/most '[ "$(wc -l <expected)" -gt 100 ] && [ "$(wc -l <held)" -gt 20 ] && [ "$(wc -l <same)" -gt 50 ]'
# A load that faults is the program's: its handler is called as often as without atomc. Half of the loads find the memory
# unreadable.
aarch64-linux-gnu-gcc -O2 -static "$tests/aarch64/fault.c" -o plain/fault
"$ATOMC" "$tests/aarch64/fault.atd" plain/fault -o tools/fault
log_registers plain/fault plain.out
log_registers tools/fault made.out
same fault/output plain.out made.out
prints fault/values tail -n 1 fault.out <<'END'
100	40425	40425	-1225000	1225	50
END

# Parameters, by their names and types: the values that the program prints.
for level in O0 O2; do
    aarch64-linux-gnu-gcc -$level -g -static "$tests/aarch64/parameters.c" -o plain/parameters
    "$ATOMC" "$tests/aarch64/parameters.atd" plain/parameters -o tools/parameters
    log_registers tools/parameters made.out
    awk '{ for (i = 2; i <= 7; i++) sum[$1, i] += $i; names[$1] }
        END { for (name in names) { line = name;
            for (i = 2; i <= 7; i++) line = line "\t" sprintf("%.0f", sum[name, i]); print line } }' made.out |
        sort >expected
    tail -n +2 parameters.out | sort >found
    same "parameters-$level" expected found
    prints "parameters-$level/names" tail -n +2 names.out <<'END'
floats	2	n	m						d	g	
parts	5	n	two	pair	pair	last					
large	2	large	n								
equal	2	mixed	n						point	point	
wide	5	n		number	number	last					
many	11	a	b	c	d	e	g				
result	1	n									
END
done

# A static program that is position-independent is at another address than without atomc: all else is the same.
aarch64-linux-gnu-gcc -O2 -static-pie "$tests/aarch64/parameters.c" -o plain/pie
"$ATOMC" "$tests/aarch64/each.atd" plain/pie -o tools/pie
log_registers plain/pie plain.out -plugin "$plugin,out=plugin.out"
log_registers tools/pie made.out
same pie/output plain.out made.out
of_tool each.out >found
# The lowest addresses are one instruction's. The emulator's own code is far above the text.
lowest=0x$(sort plugin.out | head -n 1 | cut -d ' ' -f 1) moved=$(head -n 1 found | cut -d ' ' -f 1)
while read -r address count _; do
    address=$((0x$address - lowest + moved))
    [ $address -ge $((0x1000000)) ] || printf '0x%x %d\n' $address "$count"
done <plugin.out | sort >expected
same pie/counts expected found
aarch64-linux-gnu-g++ -O2 -static-pie "$tests/aarch64/thrown.cc" -o plain/thrown
for flags in '' --poison; do
    "$ATOMC" $flags -t prof plain/thrown -o tools/thrown
    log_registers plain/thrown plain.out
    log_registers tools/thrown made.out
    same "pie/exceptions$flags" plain.out made.out
done

# Both machines' C libraries allocate as many blocks; a few have other sizes.
aarch64-linux-gnu-gcc -O1 -static "$top/docs/examples/heap.c" -o plain/heap
alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax "$top/docs/examples/heap.c" -o heap
"$ATOMC" -t malloc plain/heap -o tools/heap && log_registers tools/heap made.out && cut -f 1-3 malloc.out >found
"$ATOMC" -t malloc heap -o heap.atom && "$QEMU" heap.atom >made.out
cut -f 1-3 malloc.out >expected
same malloc expected found

# ---- calls of the runtime keep all registers, also the long vectors of SVE, and the memory below the stack pointer: also while
# signals arrive, in handlers, and where instructions fault. The program itself counts and prints the same. ----

aarch64-linux-gnu-gcc -O2 -static "$tests"/aarch64/kept.[cS] -o plain/kept
emulate plain plain/kept signals
for flags in '' --without=liveness; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags "$tests/aarch64/kept.atd" plain/kept -o tools/kept
    emulate made tools/kept signals
    same "kept$flags/output" plain.out made.out
    cut -f 1,2 table.out >expected
    tail -n +2 registers.out >found
    same "kept$flags/registers" expected found
    check "kept$flags/texts" '[ "$(awk "NR > 1 { sum += \$3 } END { print 1001 * sum }" texts.out)" = \
        "$(awk "{ sum += \$2 } END { print sum }" table.out)" ]' texts.out
    same "kept$flags/prints" expected.out lines.out
    grep ^called plain.out >expected
    same "kept$flags/print" expected called.out
    total=$(wc -l <expected.out)
    cut -f 1,3 table.out >expected
    tail -n +2 own_registers.out >found
    same "kept$flags/own/keys" expected found
    prints "kept$flags/own" tail -n +2 own.out <<<$'1\t'$total
    { seq 10 10 "$total"; echo "$total"; } | awk '{ print $1, $1 }' >expected
    awk 'NR > 1 { print $1, $2 }' every.out >found
    same "kept$flags/every" expected found
    # the machine's speed decides how many rows there are
    check "kept$flags/every/times" '[ "$(tail -n 1 times.out | cut -f 2)" = '$total' ] &&
        tail -n +2 times.out | cut -f 1 | sort -c -n && tail -n +2 times.out | cut -f 2 | sort -c -n' times.out
    prints "kept$flags/handlers" grep . handlers.out <<<40
    { echo "-1 3540"; echo "0 61"; seq 1 59 | sed 's/$/ 1/'; } | tr ' ' '\t' >expected # 60 loads have faulted
    tail -n +2 faulting.out >found
    same "kept$flags/faulting" expected found
    prints "kept$flags/given" tail -n +2 given.out <<<$'even\t0\nodd\t6'
done
# Where the signals arrive depends on the time: here, on a busy machine.
again() {
    local try
    mkdir "again$1" && cd "again$1" || return
    for try in $(seq "$2"); do
        timeout "$RUN_TIMEOUT" "$QEMU_AARCH64" -cpu max ../tools/kept signals >printed 2>&1
        cmp -s printed ../plain.printed || { echo "run $try" && cat printed; }
    done
}
head -n -1 plain.out >plain.printed # without the status
for process in $(seq "$(pick 3 6)"); do
    again "$process" "$(pick 2 15)" >"again.$process" &
done
wait
cat again.? >found
check kept/again '[ -s plain.printed ] && ! [ -s found ]' found

# ---- $stack, $depth and `on unwind`: the program itself prints which of its functions are active; numbers are Alpha's, too ----

for machine in aarch64 alpha; do
    # Alpha's linker would make a program that crashes at its start.
    [ $machine = aarch64 ] && emulator=$QEMU_AARCH64 flags= || emulator=$QEMU flags=-Wl,--no-relax
    # shellcheck disable=SC2086
    $machine-linux-gnu-gcc -O2 -static $flags -fno-optimize-sibling-calls "$tests/aarch64/stacks.c" -o plain/stacks
    "$ATOMC" "$tests/aarch64/stacks.atd" plain/stacks -o tools/stacks
    timeout "$RUN_TIMEOUT" "$emulator" tools/stacks >made.out 2>&1
    sed 's/^[0-9]* .*;main;/main;/; s/;note$/;/' stacks.out >found
    same "stacks/$machine" made.out found
    awk '{ names = gsub(/;/, ";", $2) + 1; if ($1 != names) print }' stacks.out >wrong
    check "stacks/$machine/depth" '[ "$(wc -l <stacks.out)" = 42 ] && ! grep . wrong'
    prints "stacks/$machine/machine" grep -ix $machine machine.out <<<"$("$ATOMC" info machines | grep -i -o "^$machine")"
    prints "stacks/$machine/unwound" tail -n +2 unwound.out <<<$'faults\t3\njumps\t15\non_fault\t3'
    prints "stacks/$machine/handled" tail -n +2 handled.out <<<$'-11\t3\n11\t6'
done

# ---- the stock tools that docs/aarch64.md names, in one program ----

tools=$(sed -n 's/^| tools | those without C: \(.*\); pages .*/\1/p' "$top/docs/aarch64.md" | tr -d '\140,')
aarch64-linux-gnu-gcc -O1 -fno-inline -g -static "$top/docs/examples/queens.c" -o plain/queens
alpha-linux-gnu-gcc -O1 -g -static -Wl,--no-relax "$top/docs/examples/queens.c" -o queens
# shellcheck disable=SC2046,SC2086
"$ATOMC" $(printf -- '-t %s ' $tools) plain/queens -o tools/queens
emulate plain -plugin "$plugin,out=plugin.out" plain/queens
emulate made tools/queens
same stock/output plain.out made.out
for tool in $tools; do
    [ "$tool" = empty ] || check "stock/$tool" "[ \$(wc -l <$tool.out) -ge 2 ]"
done >stock
cat stock
check stock/all '[ "$(wc -l <stock)" -ge 12 ]'
check stock/totals '[ "$(awk '\''$1 == "total" { print $2 }'\'' prof.out)" = \
    "$(awk '\''{ sum += $2 } END { print sum }'\'' plugin.out)" ]'
# A line is executed as often as the most frequent of its instructions.
awk 'length($1) <= 8 { print "0x" $1 }' plugin.out | aarch64-linux-gnu-addr2line -a -e plain/queens >lines
awk 'FNR == NR { count[$1] = $2; next } /^0x/ { n = count[sub(/^0x0*/, "", $1) ? $1 : ""]; next }
    /queens.c:[1-9]/ { sub(/ .*/, ""); sub(/.*:/, ""); if (n > most[$0]) most[$0] = n }
    END { for (line in most) print "DA:" line "," most[line] }' plugin.out lines | sort >expected
grep '^DA:.*,[1-9]' coverage.out | sort >found
same stock/coverage/lines expected found
# The source determines arguments; the emulator's list of system calls lacks those that it does not know.
mv args.out found
"$ATOMC" -t args queens -o queens.atom && "$QEMU" queens.atom >made.out
same stock/args/numbers args.out found
timeout "$RUN_TIMEOUT" "$QEMU_AARCH64" -strace plain/queens 2>&1 | sed -n 's/^[0-9]* \([a-z_0-9]*\)(.*/\1/p' | sort | uniq -c |
    awk '{ print $2, $1 }' | sort >expected
awk 'NR == FNR { known[$1]; next } $1 in known { print $1, $2 }' expected syscall.out | sort >found
same stock/syscall/numbers expected found

# Names are the machine's: a page for another machine is refused at its place.
echo 'tool t "t" counter n for p in procs { before p n += $(ra) } report "-" "N" n' >other.atd
check registers/other '! "$ATOMC" other.atd plain/program -o tools/program 2>other &&
    grep -q "other.atd:1:55: error: AArch64 has no register .ra." other' other

# The stack pointer is no register of the sets: instructions that name it, as binutils print them.
cat >stacked.atd <<'END'
tool stacked "instructions that use the stack pointer"
report "written.out" for i in insts where i.writes(sp) "PC" hex i.pc
report "read.out" for i in insts where i.reads(sp) "PC" hex i.pc
report "text.out" for i in insts "PC" hex i.pc, "Text" i.text
report "moved.out" for i in insts where i.is_load or i.is_store "PC" hex i.pc, "Bytes" i.size, "Alignment" i.alignment
END
"$ATOMC" stacked.atd plain/queens -o tools/queens && emulate made tools/queens
aarch64-linux-gnu-objdump -d --no-show-raw-insn plain/queens | sed -n 's/ *\/\/.*//; s/ *<.*//; s/^ *\([0-9a-f]*\):\t/0x\1 /p' | tr '\t' ' ' >listed
grep -E ' (mov|add|sub|and) sp,|\[sp\], #|\[sp.*\]!' listed | sed 's/ .*//' >expected
grep '^0x' written.out >found
same stacked/written expected found
grep -E '\[sp|, sp(,|$)|cmp sp' listed | sed 's/ .*//' >expected
grep '^0x' read.out >found
same stacked/read expected found

# LLVM's words for two conditions are others; binutils leave out words that are 0.
sed 's/^\(0x[0-9a-f]* *[^ ]*\).*/\1/' listed | sort >words
tail -n +2 text.out | sed 's/\tb\.hs/\tb.cs/; s/\tb\.lo/\tb.cc/; s/\t/ /; s/^\([^ ]* [^ ]*\).*/\1/' | sort | grep -v ' udf$' >found
awk 'NR == FNR { word[$1] = $2; next } $1 in word { print $1, word[$1] }' words found >expected
same stacked/words expected found
sed -n 's/^0x\([0-9a-f]* bl\) \([0-9a-f]*\)$/0x\1 0x\2/p' listed | sort >expected
sed -n 's/\t/ /; s/^\(0x[0-9a-f]* bl 0x[0-9a-f]*\)$/\1/p' text.out | sort >found
same stacked/calls expected found

# Pairs move two registers of the size that the first one's name says, and are aligned if one is.
awk 'BEGIN { bytes["w"] = 4; bytes["x"] = bytes["d"] = 8; bytes["s"] = 4; bytes["q"] = 16 }
    $2 ~ /^(ld|st)(n?p|u?r)$/ && $3 ~ /^[wxdsq]/ { n = bytes[substr($3, 1, 1)]; print $1, $2 ~ /p$/ ? 2 * n : n, n }' listed |
    sort >expected
awk 'NR == FNR { listed[$1]; next } $1 in listed { print $1, $2, $3 }' expected moved.out | sort >found
same stacked/moved expected found

# Eight arguments are in registers, of calls too; the first six on Alpha.
echo 'tool t "t" counter n for c in callsites { before c n += $arg(7) } report "-" "N" n' >seventh.atd
check arguments/calls '"$ATOMC" seventh.atd plain/program -o tools/program'
check arguments/alpha '! "$ATOMC" seventh.atd queens -o queens.atom 2>other &&
    grep -q "seventh.atd:1:62: error: there is no argument register number 7" other && grep -q "(0) to .arg(5) are in registers" other' other

# ---- what is refused ----

refuses() { # TEST WORDS ATOMC'S ARGUMENTS...
    local name=$1 words=$2
    shift 2
    check "refused/$name" "! $* -o tools/refused 2>refused && grep -q '$words are not yet there for AArch64' refused" refused
}
refuses c 'tools with C' "$ATOMC" -t cache plain/program
echo 'tool t counter n for i in insts { before i n += $cycles } report "-" "N" n' >cycles.atd
refuses values 'values that the analysis side computes' "$ATOMC" cycles.atd plain/program
printf '        .globl list\nlist:   ld1     {v0.16b}, [x0], x1\n        ldp     x0, x1, [x0]\n        ret\n' >list.s
printf 'void list(void *, long);\nint main(void) { long here[2] = {0}; list(here, 0); return 0; }\n' >lists.c
aarch64-linux-gnu-gcc -O2 -static lists.c list.s -o lists
for class in LD1Onev16b_POST LDPXi; do
    echo 'tool t counter n for i in insts where i.mnemonic == "'$class'" and i.proc.name == "list" { after i n += $addr }
        report "-" "N" n' >later.atd
    refuses later/$class 'addresses after an instruction that changes several registers, or adds one to its base,' \
        "$ATOMC" later.atd lists
done
echo 'tool t counter n for i in insts where i.mnemonic == "LDPXi" { for r in i.writes { after i n += $old(r) } }
    report "-" "N" n' >old.atd
refuses old 'old values at an instruction that changes several registers' "$ATOMC" old.atd plain/program
echo 'tool t counter n for p in procs { before p n += $(nzcv) } report "-" "N" n' >flags.atd
refuses flags 'values of the flags' "$ATOMC" flags.atd plain/program
echo 'tool t counter n for i in insts where i.word == 0 { before i n++ } report "-" "N" n' >word.atd
refuses word "the bits of instructions (i.word)" "$ATOMC" word.atd plain/program
refuses pipelines 'attributes of pipelines' "$ATOMC" -t pipe plain/program
check refused/pipelines-hint "grep -qx 'hint: cycles and stalls are those of a 21064, an Alpha processor; b.ninsts and .ns are there for each machine' refused" refused
refuses sparse 'sparse copies' "$ATOMC" -t prof --copy=sparse plain/program
aarch64-linux-gnu-gcc -O2 "$tests"/aarch64/awkward.[cS] -o dynamic
refuses dynamic 'dynamically linked programs' "$ATOMC" -t prof dynamic
# Hints have the machine's compiler and its options.
check refused/dynamic-hint "grep -qx 'hint: aarch64-linux-gnu-gcc -static links one that is not' refused" refused
aarch64-linux-gnu-gcc -c "$tests/aarch64/awkward.c" -o object.o && cp object.o object
for file in object.o object; do
    check "refused/$file" "! '$ATOMC' -t prof $file -o tools/refused 2>refused &&
        grep -qx 'hint: aarch64-linux-gnu-gcc -static $file links it' refused" refused
done
echo 'tool t counter n for i in insts where i.mnemonic == "RETAA" { before i n += $target } report "-" "N" n' >target.atd
refuses target 'targets ($target) of transfers that authenticate them' "$ATOMC" target.atd signed
printf '        .arch armv8.3-a\n        .globl main\nmain:   pacia x30, sp\n        blraa   x30, sp\n        mov     x0, #0\n        ret\n' >linked.s
aarch64-linux-gnu-gcc -static linked.s -o linked
refuses signed 'transfers that authenticate a target of this kind' "$ATOMC" -t prof linked

# ---- atomc run: the emulator is the machine's, and the program has its own name ----

"$ATOMC" run -t prof -- plain/program >run.out 2>run.err || true
check run "grep -q prof.out run.err run.out && grep -q 'Instructions' run.err run.out" run.err
