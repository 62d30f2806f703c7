# tools_system: syscall, io and read against QEMU's own log of system calls, for every call and every file.
. "$tests/lib/tools.sh"

expected() { # TOOL: the log's calls of the first process, as the tool prints them
    case $1 in
    syscall)
        awk 'NR == 1 { process = $1 } $1 != process { next }
            /^[0-9]+ [a-z0-9_]+\(/ { name = substr($2, 1, index($2, "(") - 1); calls[name]++; errors[name] += / = -1 errno=/ }
            END { for (name in calls) print name "\t" calls[name] "\t" errors[name] + 0 }' strace ;;
    io) awk -f "$tests/tools/strace_files.awk" strace ;;
    read)
        awk 'NR == 1 { process = $1 } $1 != process || $2 !~ /^read\(/ { next }
            { calls++; sub(/.*\) = /, ""); if (/^-1 errno/) failed++; else bytes += $1 }
            END { printf "%d\t%d\t%.0f\n", calls, failed, bytes }' strace ;;
    esac | sort
}
check_calls() { # NAME LEVEL WORKLOAD
    local tools tool
    rm -f strace
    run plain "$program" -strace -D "$scratch/strace"
    if [ "$(cut -d' ' -f1 strace | sort -u | grep -c '^[0-9]')" != 1 ]; then
        skipped "$1-$2/$3" "the log of several processes mixes their lines"
        return
    fi
    for tools in $(pick syscall+io+read "syscall io read"); do
        # shellcheck disable=SC2086
        instrument instrumented -t ${tools//+/ -t } "$program"
        run found instrumented
        same_results "$tools/$1-$2/$3/same" plain found syscall.out io.out read.out
        for tool in ${tools//+/ }; do
            expected "$tool" >expected
            sed "1{/^[A-Z]/d}" "found/files/$tool.out" | sort >rows # without the title
            same "$tool/$1-$2/$3" expected rows
        done
    done
}

# The sums of each thread's calls, and of its handler's, which interrupts them, if the program prints their number.
alpha interrupted "$tests/tools/interrupted.c" -g -pthread
for option in time=false time=true; do
    instrument instrumented -t syscall -D $option -t io interrupted
    check interrupted/$option "qemu instrumented"
    awk -F'\t' '$1 == "read" || $1 == "close" { print $1, $2, $3 }' syscall.out | sort >calls
    prints syscall/interrupted/$option cat calls <<<$'close 24 24\nread 12 12'
    awk -F'\t' 'NR > 1 && $9 { print $1, $9 }' io.out | sort >files
    prints io/interrupted/$option cat files <<<$'descriptor -1 24\npipe 12'
done

alpha reader "$tests/tools/reader.c"
program=reader name=reader arguments=() inputs='' standard_input=$scratch/input
head -c 100000 "$tests/data/alpha-isa.csv" >input
check_calls reader O2 input
each_workload check_calls
