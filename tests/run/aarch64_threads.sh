# aarch64_threads: programs for AArch64 with threads: each instruction's count is the emulator's, for all thread pointers; extremes, samples,
# histograms, keys and thread counters are those of the same source on Alpha.
command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null || {
    skipped all "no compiler, or no emulator, for AArch64"
    return
}
cross() { # OUTPUT ARGUMENTS
    aarch64-linux-gnu-gcc -O2 -static -pthread "${@:2}" -o "$1"
}
emulate() { # WORD...
    timeout "$RUN_TIMEOUT" "$QEMU_AARCH64" "$@"
}
plugin=$BUILD/tests/addresses.so
cross plain "$tests/data/thread_pointers.c"
aarch64-linux-gnu-nm -S plain | awk '$4 ~ /^(step|compute|compute_all|change|in_threads|main)$/ { print $1, $2 }' >procedures
check procedures '[ "$(wc -l <procedures)" = 6 ]' procedures
# Instructions of code that is executed the same number of times in each run. Where a child reports first, the parent's are the last.
own() { # FILE FIELD
    awk -v field="$2" "$hexadecimal"'
        NR == FNR { first[++n] = number($1); after[n] = first[n] + number($2); next }
        /^0x/ && $field > 0 { at = number($1); for (k = 1; k <= n; k++) if (at >= first[k] && at < after[k]) count[$1] = $field }
        END { for (at in count) print at, count[at] }' procedures "$1" | sort
}
"$ATOMC" "$tests/data/each.atd" plain -o derived
"$ATOMC" --without=placement "$tests/data/each.atd" plain -o made
"$ATOMC" --poison "$tests/data/each.atd" plain -o poison
for way in own none same near changing $(pick "" fork); do
    emulate -plugin "$BUILD/tests/oracle.so,out=oracle.txt" plain $way >plain.printed
    own oracle.txt 3 >expected
    for each in derived $([ "$way" != own ] || echo made) $([ "$way" != changing ] || echo poison) $(pick "" "made poison"); do
        for _ in $(seq "$(pick 1 10)"); do
            emulate $each $way >printed
            own printed 2 >found
            check "$way/$each" '[ "$(wc -l <expected)" -gt 60 ] && diff expected found && grep -v -e ^0x -e ^PC printed | cmp - plain.printed'
        done
    done
done

# The same numbers as on Alpha, where one processor's instructions are others, but the calls are the same.
mkdir alpha aarch64
alpha alpha/plain "$tests/data/thread_pointers.c" -pthread
cp plain aarch64
for machine in alpha aarch64; do
    for flags in '' --without=liveness; do
        (
            cd $machine
            # shellcheck disable=SC2086
            "$ATOMC" $flags "$tests/aarch64/threads.atd" plain -o tool
            if [ $machine = alpha ]; then qemu tool own; else emulate tool own; fi >printed
            sort threads.* >"found$flags" # threads have their numbers by chance
        )
    done
done
check values '[ "$(wc -l <alpha/found)" -gt 25 ]' alpha/found
for flags in '' --without=liveness; do
    same "values/aarch64$flags" alpha/found "aarch64/found$flags"
done

# ---- sums that depend on values, made at the beginnings of blocks in which threads fault at once: each thread has its own records ----
. "$tests/lib/sums.sh"
cross faulting -DTHREADS "$tests/data/faulting.c" "$tests/aarch64/faulting.S"
emulate -plugin "$plugin,out=addresses" -cpu max faulting "$(pick 100 1000)" >plain.printed
aarch64-linux-gnu-nm -S faulting | awk '$4 ~ /^(loads|stores|begins|ends|floats|joins)$/ { print $1, $2 }' >procedures
own <(sed 's/^/0x/' addresses) 2 | awk '{ sum += $2 } END { print sum }' >expected
sed 's/[$](ra)/$(x30)/g' "$tests/data/keyed_sums.atd" >keyed_sums.atd
for flags in '' --poison $(pick '' --without=all); do
    # shellcheck disable=SC2086
    "$ATOMC" $flags keyed_sums.atd faulting -o tool
    rm -f keyed_sums.[bdrs]*
    emulate -cpu max tool "$(pick 100 1000)" >printed 2>/dev/null || true
    same "sums$flags/output" plain.printed printed
    check_keys "sums$flags/keys" .
    awk '/^[A-Z]/ { limited = /^Limited/ } /[0-9]/ && !limited { sum += $1 } END { print sum }' keyed_sums.rows >found
    same "sums$flags/total" expected found
done
for count in 300 4500; do # more than a byte's number, or than fit between two thread pointers
    write_many_sums $count
    "$ATOMC" many_sums$count.atd faulting -o tool
    emulate -cpu max tool "$(pick 100 1000)" >printed || true
    same "sums/many$count/output" plain.printed printed
    check_sums "sums/many$count" many_sums.differ
done
