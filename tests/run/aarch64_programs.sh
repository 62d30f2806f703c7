# aarch64_programs: real programs for AArch64, static: output, files and status are those of the plain program, and each
# instruction's count is the emulator's. make check has one program in C and one in C++; PROGRAMS and LEVELS choose others
# (make check-all PARTS=aarch64_programs).
command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null || {
    skipped all "no compiler, or no emulator, for AArch64"
    return
}
export MACHINE=aarch64
QEMU=$QEMU_AARCH64
plugin=$BUILD/tests/addresses.so
same_counts() { # TEST: of the file addresses and each/files/each.out. The vdso, which newer emulators have, is above the text.
    awk 'length($1) <= 8' addresses >text && mv text addresses
    awk '{ print "0x" $1, $2 }' addresses | sort >expected
    awk '/^0x/ { print $1, $2 }' each/files/each.out | sort >found
    same "$1" expected found
    same "$1/poison" prof/files/prof.out poison/files/prof.out
    check "$1/prof" '[ "$(awk '\''$1 == "total" { print $2 }'\'' prof/files/prof.out)" = \
        "$(awk '\''{ sum += $2 } END { print sum }'\'' addresses)" ]'
}
# callgraph: the names of callers and callees, and the counts, of the transfers that the emulator has seen at calls.
cat >names.atd <<'EOF'
tool names "call instructions and procedures"
report "sites" for c in callsites as hex c.pc, " ", c.proc.name
report "procedures" for p in procs as hex p.pc, " ", p.size, " ", p.name
EOF
same_calls() { # TEST
    awk "$hexadecimal"'
        FILENAME == "names/files/procedures" { first[++n] = number($1); last[n] = first[n] + $2; name[n] = $3; next }
        FILENAME == "names/files/sites" { caller[$1] = $2; next }
        $1 in caller {
            at = number($2); low = 1; high = n
            while (low < high) { middle = int((low + high + 1) / 2); if (first[middle] <= at) low = middle; else high = middle - 1 }
            calls[caller[$1] "\t" (at < last[low] ? name[low] : "(unknown)")] += $3
        }
        END { for (pair in calls) print pair "\t" calls[pair] }' names/files/procedures names/files/sites transitions | sort >expected
    sed '1d;/^$/d;/^total/d' callgraph/files/callgraph.out | cut -f1-3 | sort >found
    check "$1" '[ "$(wc -l <expected)" -gt 60 ] && diff expected found' found
}
try() { # NAME LEVEL
    local level=$2 workload tool
    if [[ $1 = *blas ]] && ! command -v aarch64-linux-gnu-gfortran >/dev/null; then
        skipped "$1-$level" "no gfortran-aarch64-linux-gnu"
        return 0
    fi
    use "$1" "$level" "$(. "$tests/programs/$1/program.sh" && echo "${workloads%% *}")" || return 0
    instrument each.program "$tests/aarch64/each.atd" "$program" && instrument prof.program -t prof "$program" || return 0
    instrument poison.program --poison -t prof "$program" || return 0
    instrument names.program names.atd "$program" && instrument callgraph.program -t callgraph "$program" || return 0
    for workload in $(pick "${check_workloads:-$workloads}" "$workloads"); do
        [ "$workload" != large ] || continue
        workload "$workload"
        rm -f addresses
        run plain "$program" -cpu max
        run counted "$program" -cpu max -plugin "$plugin,out=$PWD/addresses"
        same_results "$1-$level/$workload/plugin" plain counted
        run called "$program" -cpu max -plugin "$BUILD/tests/transitions.so,out=$PWD/transitions"
        run names names.program -cpu max
        run callgraph callgraph.program -cpu max
        same_results "$1-$level/$workload/callgraph" plain callgraph callgraph.out
        for tool in each prof poison; do # poison: registers and flags that are dead are overwritten
            run $tool $tool.program -cpu max
            same_results "$1-$level/$workload/$tool" plain $tool each.out prof.out
        done
        case " ${unrepeatable:-} " in
        *" $workload "*) skipped "$1-$level/$workload/counts" "each run takes other random numbers" ;;
        *)
            same_counts "$1-$level/$workload/counts"
            same_calls "$1-$level/$workload/callgraph/calls"
            ;;
        esac
    done
}
for source in ${PROGRAMS:-$(pick "lua minisat" "bzip2 lua minisat sqlite3 lzip mawk minigzip byacc dash duktape blas zblas coreutils")}; do
    for level in ${LEVELS:-$(pick O2 "O0 O2 O3 Os signed newer inner")}; do
        try "$source" "$level"
    done
done
