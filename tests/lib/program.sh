# program.sh: one test program at one level under stock tools: the behaviour must equal the plain program's, and the
# counts the oracle's. Requires: tests/lib/prelude.sh, build/tests/oracle.so. WORKLOADS restricts it to the workloads
# named, TOOLS to these tools.
# shellcheck shell=bash disable=SC2154
. "$tests/lib/dynamic.sh"

tool_words() { # TOOL: branch_c is the tool with routines in C
    case $1 in branch_c) echo "$top/docs/examples/branch.atd" ;; *) echo "-t $1" ;; esac
}
tool_output() { # TOOL: the file that the tool leaves
    case $1 in branch*) echo branch.out ;; empty) ;; *) echo "$1.out" ;; esac
}

# Procedures that depend on how often threads wait for each other, and on malloc in that case.
contended='(lll_|futex|mutex|cond_|rwlock|sem_|heap|arena|alloc|_int_free|mprotect|mmap|munmap|clone|yield)'

# The tool's counts must equal the oracle's. In runs with threads, only stable procedures are compared; if the time
# matters, only procedures that take the same path in all runs of the plain program.
check_counts() { # TOOL WORKLOAD
    local tool=$1 test=$1/$2/counts only= found expected
    export LEFT_OUT=$left_out
    [[ " $timing " != *" $2 "* ]] || LEFT_OUT=$contended${left_out:+|$left_out}
    found=$1/files/$(tool_output "$tool")
    [ "$tool" != third ] || { check "$test" "head -n 1 $found | grep ^Error" && return; }
    [ -e oracle.txt ] || { skipped "$test" "it ends by a signal: the oracle says nothing" && return; }
    # In programs that may make threads, sites save registers on the program's stack; registers without a value are
    # used.
    [ "$tool$reads_unwritten" != audityes ] || { skipped "$test" "it loads what nobody has written" && return; }
    case ${qemu_options:+dynamic}:$tool in
    dynamic:audit | dynamic:cache) skipped "$test" "the heap and the dynamic linker may be elsewhere" && return ;;
    esac
    case "$tool in  $unrepeatable " in
    "audit in "*" $2 "* | "cache in "*" $2 "*) skipped "$test" "values that differ from run to run" && return ;;
    esac
    if [[ " $timing " = *" $2 "* ]]; then
        case $tool in audit | cache) skipped "$test" "the values of loads depend on the time" && return ;; esac
        # If there is a difference, the test is repeated, because a rare path may have been taken in this run only.
        for expected in 2 3 4 5 6; do
            [ -e oracle.$expected ] || count_with_oracle counted oracle.$expected "${qemu_options[@]}"
            [ $expected = 2 ] || ! bash "$tests/lib/counts.sh" "$tool" oracle.txt "$found" "$program" "$stable" oracle.[2-6] || break
        done >/dev/null
        check "$test" "bash '$tests/lib/counts.sh' ${tool%_c} oracle.txt $found $program '$stable' oracle.[2-6]"
        return
    fi
    if [ "$(sed -n 's/^# threads //p' oracle.txt)" -gt 1 ]; then
        only=$stable
        if [ "$tool" = cache ]; then
            # Threads interleave in another way each time: the references are nearly the same.
            expected=$(sed -n 's/^# references //p' oracle.txt)
            check "$test" "awk '\$1 == \"L1\" { n = \$2 } END { print n; exit n <= $expected * 0.98 || n >= $expected * 1.02 }' $found"
            return
        fi
    fi
    check "$test" "bash '$tests/lib/counts.sh' ${tool%_c} oracle.txt $found $program '$only'"
}

# try_program NAME LEVEL FLAGS TOOL...
try_program() {
    local level=$2 flags=$3 tool workload before instrumented=
    local -a qemu_options=()
    case $level in dynamic | pie) qemu_options=(-L "$libraries") ;; esac
    use "$1" "$level" "$(. "$tests/programs/$1/program.sh" && echo "${workloads%% *}")" || return 0
    shift 3
    # shellcheck disable=SC2046,SC2086 # several words
    set -- ${TOOLS:-${only_tools:-$*}}
    for tool in "$@"; do
        # shellcheck disable=SC2046,SC2086
        instrument "$tool.program" $flags $atomc_flags $(tool_words "$tool") "$program" || continue
        instrumented+=" $tool"
        # The sanitized atomc writes the same.
        if [ -e "${ATOMC_CHECKED:-}" ] && [[ " $(pick prof "$*") " = *" $tool "* ]]; then
            # shellcheck disable=SC2046,SC2086
            ATOMC=$ATOMC_CHECKED instrument checked.program $flags $atomc_flags $(tool_words "$tool") "$program" || continue
            check "$tool/checked" "cmp $tool.program checked.program"
        fi
    done
    for workload in ${WORKLOADS:-$(pick "${check_workloads:-$workloads}" "$workloads")}; do
        [ "$workload" != large ] || [ -n "${WORKLOADS:-}" ] || continue # the program is for measurements
        before=$failures
        try_workload "$workload" $instrumented >results
        # A process number may have had more digits in one run than in the others: the test is repeated.
        if [ "$process_numbers" = yes ] && [ $failures != $before ]; then
            failures=$before
            try_workload "$workload" $instrumented >results
        fi
        cat results
    done
}

try_workload() { # WORKLOAD TOOL...
    local workload=$1 tool
    local -a qemu_options=("${qemu_options[@]}")
    shift
    # Two threads that call a procedure for the first time at once both have it bound.
    [ ${#qemu_options[@]} = 0 ] || [[ " $timing " != *" $workload "* ]] || qemu_options+=(-E LD_BIND_NOW=1)
    workload "$workload"
    run plain "$program" "${qemu_options[@]}"
    rm -f oracle.*
    count_with_oracle counted oracle.txt "${qemu_options[@]}"
    same_results "oracle/$workload" plain counted
    for tool in "$@"; do
        run "$tool" "$tool.program" "${qemu_options[@]}"
        same_results "$tool/$workload" plain "$tool" "$(tool_output "$tool")"
        [ "$tool" = empty ] || check_counts "$tool" "$workload"
    done
}
