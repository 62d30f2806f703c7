# languages: programs in Ada, Go and Modula-2 behave as uninstrumented under empty, prof and with dead registers
# overwritten; programs without threads have the oracle's counts. If compilers are missing, the test reports this.
cp "$tests"/languages/* .
gcc=$(alpha-linux-gnu-gcc -dumpversion)
unset LIBRARY_PATH # gm2 searches only there
static="-O2 -static -Wl,--no-relax"
said() { # FILE EXECUTABLE [QEMU_OPTION...]: always under one name and path, without an environment
    cp "$2" program
    env -i timeout 1500 "$QEMU" -seed 1 "${@:3}" ./program </dev/null >"$1" 2>&1 || echo "exit status $?" >>"$1"
}

while read -r language compiler threads command; do
    if ! command -v "$compiler" >log; then
        skipped "$language" "$compiler is not installed (scripts/setup.sh installs it)"
        continue
    fi
    check "$language" "$compiler -o plain $command"
    said expected plain
    for mode in empty prof poison; do
        # shellcheck disable=SC2086
        instrument instrumented -t ${mode/poison/empty --poison} plain
        said found instrumented
        check "$language/$mode" "diff expected found && ! grep '^exit status' found"
    done
    [ "$threads" = no ] || continue
    said counted plain -singlestep -plugin "$oracle,out=oracle.txt,registers=on,cache=on"
    check "$language/counts" "bash '$tests/lib/counts.sh' prof oracle.txt prof.out plain"
done <<END
Ada alpha-linux-gnu-gnatmake-$gcc no -O2 raises.adb -bargs -static -largs -static -Wl,--no-relax
Go alpha-linux-gnu-gccgo-$gcc yes $static routines.go
Modula-2 alpha-linux-gnu-gm2-$gcc no $static sieve.mod
END
