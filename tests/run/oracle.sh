# oracle: the oracle itself: a program with known counts, its two modes, and QEMU's own log of all registers.
alpha selftest "$tests/oracle/selftest.S" -nostdlib

# counts RESULT OPTIONS WORD...: counts of a run of the words, in RESULT and, with its heading, in RESULT.all.
counts() {
    local result=$1 options=$2
    shift 2
    # shellcheck disable=SC2086
    qemu ${options:+-singlestep} -plugin "$oracle,out=$scratch/$result.all,cache=on$options" "$@" >/dev/null || true
    grep ^0x "$result.all" >"$result"
}
# by_log RESULT WORD...: the same lines from QEMU's log of registers. QEMU's log cannot distinguish a branch to its own
# successor either.
by_log() {
    local result=$1
    shift
    mkfifo log
    qemu -singlestep -d cpu,fpu,nochain -D log "$@" >/dev/null &
    awk -f "$tests/oracle/log_counts.awk" "$result.all" log >logged
    wait $! || true
    rm log
    check "register-log-$result" "cut -f1-6 $result | grep -v '	e7e00000	' | diff - <(grep -v '	e7e00000	' logged)"
}
counts registers ,registers=on selftest
counts quick "" selftest
# The comments of the source, without the lines that are never executed, are the counts in order.
prints known-counts eval "cut -f3-6 registers | tr '\t' ' '" < <(sed -n 's/.*# \([1-9][0-9]* [-0-9]* [-0-9]* [-0-9]*\)$/\1/p' \
    "$tests/oracle/selftest.S")
# 8 loads (one of them a prefetch, which does not count) and a store three times, 3 stores, ldl_l and stl_c.
prints known-references grep -E 'references|misses' registers.all <<'END'
# references 32
# misses 2
END
# The branch to its own successor is the only event that the quick mode cannot distinguish.
check modes-agree "cut -f1-5 quick |
    diff - <(cut -f1-5 registers | awk -F'\t' 'BEGIN { OFS = FS } \$2 == \"e7e00000\" { \$4 = 0; \$5 = 1 } 1')"
by_log registers selftest
# A real program, with a C library in it: some 70,000 instructions.
use mawk "$(pick O0 O2)" errors || return 0
print='BEGIN { printf "%s %5.2f\n", substr("words", 2), 355 / 113 }'
counts mawk ,registers=on "$program" "$print"
by_log mawk "$program" "$print"
