# threads: counts are derived in programs with threads, too, wherever these are when one of them ends the program, or
# forks. exit() makes a static program forget its frames, unless they have a table: then a cancelled thread is ended by
# abort().
alpha plain "$tests/data/threads_stop.c" -pthread -Wl,--eh-frame-hdr
instrument derived -v "$tests/data/each.atd" plain
"$ATOMC" --dump=map "$tests/data/each.atd" plain -o derived >map
instrument memory --without=promotion "$tests/data/each.atd" plain
instrument made --without=placement "$tests/data/each.atd" plain
check derives "[ $(statistic derived.log 'counter updates derived') -gt 100000 ]" derived.log
check registers "[ $(statistic derived.log 'in registers') -gt 300 ]" derived.log
runs=$(pick 1 3)

# within FILE NAME...: the lines whose first word is an address in one of these procedures.
within() {
    alpha-linux-gnu-nm -S plain | awk -v names=" ${*:2} " "$hexadecimal"'
        NR == FNR { if (index(names, " " $4 " ")) { first[++n] = number($1); behind[n] = first[n] + number($2) } next }
        /^0x/ { at = number($1); for (k = 1; k <= n; k++) if (at >= first[k] && at < behind[k]) print }' - "$1"
}

# ---- threads that rest, each in another system call: the same as counts made where they stand, and the same status, at once ----
# One thread waits for all signals (sigwait), and the stopped threads block them: it must not receive the signal that
# ends the process.
# The counts that are not in registers are tried at two ends in make check.
for run in exit=3 _exit=3 abort=134 crash=139 kill=143 thread=3; do
    end=${run%=*}
    for each in made derived memory; do
        case $(pick $end all)-$each in _exit-memory | abort-memory | crash-memory | thread-memory) cp derived.own memory.own && continue ;; esac
        status=0
        qemu $each rest $end 500000 >printed 2>/dev/null || status=$?
        check rest-$end/$each "[ $status = ${run#*=} ]"
        within printed loop nested wait_somewhere read select sigsuspend clone >$each.own
    done
    check rest-$end "[ $(wc -l <made.own) -gt 150 ] && diff made.own derived.own && diff made.own memory.own"
done

# ---- threads that do not: each instruction is counted as often as its copy is executed ----
# A thread that is found between a count and the instruction of the count continues to the next instruction: the runtime
# executes the instruction itself, invisible to the processor, and the oracle detects this by a load.
executed() { # PROGRAM ARGUMENT...: runs it, its oracle's counts in `executed`
    local load
    load=$(alpha-linux-gnu-nm "$1" | awk '$3 ~ /(^|[.])atomc_read_stepped$/ { print $1 }')
    [ "$load" ] && qemu -plugin "$oracle,out=executed,stepped=$load" "$@" >printed 2>/dev/null
}
counts_are_executions() {
    awk 'NR == FNR { own[$1] = $2; next } $1 in own && $3 > 0 { print own[$1], $3 }' map executed >all
    within all loop nested walk compute short_life wait_somewhere >ran
    awk 'NR == FNR { counted[$1] = $2; next }
        { compared++ }
        counted[$1] != $2 { print $1, "counted", counted[$1], "executed", $2; different++ }
        END { exit compared < 200 || different }' printed ran
}
for what in $(pick both "compute both"); do
    for end in exit _exit thread; do
        for run in $(seq "$runs"); do
            status=0
            executed derived $what $end $(($(pick 2000 7000) * run)) || status=$?
            check $what-$end-"$run"/status "[ $status = 3 ]"
            check $what-$end-"$run" counts_are_executions
        done
    done
done

# ---- the same where blocks call routines, in which threads are stopped, or wait for the lock ----
"$ATOMC" --dump=map "$tests/data/each_called.atd" plain -o called >map
instrument called -v "$tests/data/each_called.atd" plain
check called "[ $(statistic called.log 'counter updates derived') -gt 100000 ]" called.log
for end in exit thread; do
    for run in $(seq "$runs"); do
        status=0
        executed called both $end $(($(pick 2000 7000) * run)) || status=$?
        check called-$end-"$run"/status "[ $status = 3 ]"
        check called-$end-"$run" counts_are_executions
    done
done

# ---- sums that are made at the beginning of their blocks, beside routines in which threads are stopped, or wait for the lock ---
sums_are_executions() {
    awk "$hexadecimal"'
        FILENAME == "map.early" { own[$1] = number($2); next }
        FILENAME == "printed" { if (/^0x/) { text[++n] = $1; first[n] = number($1); ran[n] = $2 } next }
        $1 in own {
            low = 1
            for (high = n; low < high; ) {
                middle = int((low + high + 1) / 2)
                if (first[middle] <= own[$1]) low = middle; else high = middle - 1
            }
            executed[low] += $3
        }
        END { for (i = 1; i <= n; i++) print text[i] "\t" ran[i] + 0 "\t" executed[i] + 0 }' map.early printed executed >all
    within all loop nested walk compute short_life wait_somewhere | awk '
        { compared++ }
        $2 != $3 { print $1, "counted", $2, "executed", $3; different++ }
        END { exit compared < 40 || different }'
}
"$ATOMC" --dump=map -t cache "$tests/data/early_blocks.atd" plain -o early >map.early
instrument early -t cache "$tests/data/early_blocks.atd" plain
for end in exit thread; do
    for run in $(seq "$runs"); do
        status=0
        executed early both $end $(($(pick 2000 7000) * run)) || status=$?
        check sums-$end-"$run"/status "[ $status = 3 ]"
        check sums-$end-"$run" sums_are_executions
    done
done

# ---- the same in other ends, with each count made in two ways, and with libraries, where system calls are made behind pages
# of the runtime's. A thread that is cancelled may stop between two counts of a block, and stays there. ----
counts_are_equal() { # REPORTS
    awk -F '\t' -v reports="$1" '
        /^0x/ && $4 != "until_cancelled" { different++ }
        /^Blocks/ { seen++ }
        END { exit seen != reports || different || $0 < 1000 }' printed
}
instrument twice "$tests/data/executed_twice.atd" plain
shared plain-dynamic "$tests/data/threads_stop.c" -pthread
instrument twice-dynamic --objects=all "$tests/data/executed_twice.atd" plain-dynamic
while read -r program what end moment reports; do
    for run in $(seq "$runs"); do
        qemu -L /usr/alpha-linux-gnu "$program" "$what" "$end" $((moment * run)) >printed 2>/dev/null || true
        check "$program-$end-$run" "counts_are_equal $reports" printed
    done
done <<'END'
twice compute abort 9000 1
twice compute crash 9000 1
twice compute kill 9000 1
twice compute last 9000 1
twice compute fork 9000 2
twice-dynamic both exit 100000 1
twice-dynamic both kill 100000 1
END
