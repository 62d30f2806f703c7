# What qemu says of the same calls.
for call in write openat close exit_group; do
    echo "$call	$(grep -c "[0-9] $call(" strace.err)"
done | grep -v '	0$' | sort >expected
tail -n +2 kernel.out | sort >found
same system-calls/kernel expected found
awk '/ write\(/ { calls++; sub(/.*= /, ""); bytes += $1 } END { print calls "\t" bytes }' strace.err >expected
tail -n 1 written.out >found
same system-calls/written expected found
