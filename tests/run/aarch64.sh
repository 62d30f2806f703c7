# aarch64: static programs for AArch64 with tools that only count: their output, status and addresses are those without atomc, and
# each instruction's count is the emulator's. What is not there yet is refused by name.
# size: quick
command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null || {
    skipped all "no compiler, or no emulator, for AArch64"
    return
}
cp "$tests/aarch64/each.atd" .
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
    for kind in each prof; do
        rm -f tools/program each.out prof.out
        [ $kind = each ] && tool=each.atd || tool='-t prof'
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
    check "$name/prof/total" '[ "$(awk '\''$1 == "total" { print $2 }'\'' prof.out)" = "$(awk '\''{ sum += $2 } END { print sum }'\'' plugin.out)" ]'
}
one awkward "$tests"/aarch64/awkward.[cS]
flags=-O0 one unoptimized "$tests"/aarch64/awkward.[cS]
[ "$SIZE" = check ] || {
    flags='-O3 -march=armv8.2-a+sve -mbranch-protection=standard' one vectors "$tests"/aarch64/awkward.[cS]
    flags='-O2 -march=armv8.5-a+lse -fno-jump-tables' one newer "$tests"/aarch64/awkward.[cS]
}

# The count of a fault: without its check, this test must find a count that is wrong.
sed '1s/ [0-9]*$/ 77/' found >wrong
check finds/counts '! cmp -s expected wrong'

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
    aarch64-linux-gnu-objdump -d plain/program | awk -F'[\t ]+' '/<.*>/ { for (i = 5; i < NF; i++) if ($i ~ /^[0-9a-f]+$/) print $i }' >targets
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

# ---- what is refused ----

refuses() { # TEST WORDS ATOMC'S ARGUMENTS...
    local name=$1 words=$2
    shift 2
    check "refused/$name" "! $* -o tools/refused 2>refused && grep -q '$words are not yet there for AArch64' refused" refused
}
refuses c 'tools with C' "$ATOMC" -t cache plain/program
refuses values 'values of memory, and of registers by name or after an instruction,' "$ATOMC" -t malloc plain/program
echo 'tool t counter n for p in procs { before p n += $arg(0)->next } report "-" "N" n' >members.atd
refuses members 'members of structures' "$ATOMC" members.atd plain/program
refuses word "the bits of instructions (i.word)" "$ATOMC" -t syscall plain/program
refuses pipelines 'attributes of pipelines' "$ATOMC" -t pipe plain/program
refuses sparse 'sparse copies' "$ATOMC" -t prof --copy=sparse plain/program
aarch64-linux-gnu-gcc -O2 "$tests"/aarch64/awkward.[cS] -o dynamic
refuses dynamic 'dynamically linked and position-independent programs' "$ATOMC" -t prof dynamic
printf '#include <pthread.h>\nint main(void) { pthread_t t; return pthread_create(&t, 0, (void *(*)(void *))pthread_self, 0); }\n' >threads.c
aarch64-linux-gnu-gcc -O2 -static threads.c -o threads
refuses threads 'programs that may make threads' "$ATOMC" -t prof threads
printf '        .arch armv8.3-a\n        .globl signed\nsigned: paciasp\n        retaa\n' >signed.s
printf 'void signed_(void) __asm__("signed");\nint main(void) { signed_(); return 0; }\n' >signing.c
aarch64-linux-gnu-gcc -O2 -static signing.c signed.s -o signing
refuses signed 'transfers that authenticate their target' "$ATOMC" -t prof signing

# ---- atomc run: the emulator is the machine's, and the program has its own name ----

"$ATOMC" run -t prof -- plain/program >run.out 2>run.err || true
check run "grep -q prof.out run.err run.out && grep -q 'Instructions' run.err run.out" run.err
