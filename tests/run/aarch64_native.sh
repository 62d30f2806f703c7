# aarch64_native: the benchmark for real AArch64 machines, as a dry run under the emulator, with a perf that counts what this test
# says; a program that does something else is found.
command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null || {
    skipped all "no compiler, or no emulator, for AArch64"
    return
}
"$top/tests/bench/native.sh" make folder >made
mkdir counts none
cat >counts/perf <<'END'
#!/bin/bash
# perf stat -x, -e instructions:u -o FILE COMMAND...
echo "$((1000 + ${#PWD}))000,,instructions:u,1,100.00,," >"$6"
exec "${@:7}"
END
printf '#!/bin/sh\nexit 1\n' >none/perf
chmod +x counts/perf none/perf
for perf in counts none; do
    check $perf 'PATH=$PWD/$perf:$PATH RUNS=1 SCALE=1 EMULATOR="$QEMU_AARCH64" timeout "$RUN_TIMEOUT" folder/native.sh run >$perf.printed' \
        $perf.printed
    cut -f 1,2 $perf.printed | grep '	' >table
    prints $perf/table cat table <<'END'
program	tool
nqueens	plain
nqueens	empty
nqueens	prof
nqueens	branch
nqueens	dyninst
quicksort	plain
quicksort	empty
quicksort	prof
quicksort	branch
quicksort	dyninst
END
    check $perf/said "grep -q '^dry run: ' $perf.printed && grep -q '^nqueens: prof counts [0-9]' $perf.printed" $perf.printed
done
check counts/instructions '[ "$(grep -c -E "^[a-z]+	[a-z]+	[0-9.]+	[0-9.]+	[0-9]{7,}	[01][.][0-9]{3}$" counts.printed)" = 10 ] &&
    grep -q "nqueens: prof counts .*, perf [0-9]" counts.printed' counts.printed
check none/instructions '[ "$(grep -c "	-	-$" none.printed)" = 10 ]' none.printed
cp folder/quicksort.prof folder/nqueens.prof
check finds '! RUNS=1 SCALE=1 EMULATOR="$QEMU_AARCH64" folder/native.sh run >other.printed 2>&1 &&
    grep -q "nqueens with prof: other output" other.printed' other.printed
