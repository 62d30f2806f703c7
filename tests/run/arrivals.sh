# arrivals: a signal is delivered at an instruction of the program, regardless of where it arrives: the handler finds
# the program's thread pointer, pc, registers and frames; jumps out of it leave no lock, and every count is exact.
cp "$tests"/arrivals/* .
alpha plain program.c -lpthread
times=$(pick 20 2000)

# A timer that is faster than handlers leaves the program no time, instrumented or not.
arrive() { # PROGRAM WAY [MICROSECONDS]
    rm -rf "$1-$2" && mkdir "$1-$2"
    (cd "$1-$2" &&
        timeout -s KILL 1500 "$QEMU" ${libraries:+-L "$libraries" -E LD_BIND_NOW=1} ../"$1" "$2" "$times" ${3:-} >printed 2>&1) ||
        true
    check "$1/$2" "grep -qx '$2: right' $1-$2/printed" "$1-$2/printed"
}
for way in tls frames nested altstack jump threads masks; do
    arrive plain $way
done
# make check has each way with prof and with cache (linked dynamically, below), and half of them with each other tool.
for tool in prof audit third $(pick "" "cache memsys values hiprof dynmem trace empty branch"); do
    instrument $tool -t $tool plain || continue
    for way in "tls 2000" "frames 20000" "nested 5000" "altstack 5000" "jump 10000" threads "masks 2000"; do
        case $(pick $tool all):$way in audit:tls* | audit:nested* | audit:alt* | third:frames* | third:threads | third:masks*) continue ;; esac
        # shellcheck disable=SC2086
        arrive $tool $way
    done
done

# The numbers equal those that the program itself prints, for all ways of counting.
for how in call=wrapper without=all $(pick "" "default without=placement stack=own"); do
    instrument $how $([ $how = default ] || echo --$how) stores.atd plain || continue
    for way in tls nested altstack jump threads; do
        arrive $how $way 5000
        check "$how/$way/counts" \
            "cat $how-$way/{stores,counted,counted_in_c} 2>&1 | awk 'NR == 1 { all = \$1 } NF && \$1 != all { exit 1 }
            END { exit NR < 5 || all < 1000 }'" $how-$way/counted_in_c
    done
done

# Handlers that take a long time. Five seconds after a signal that ends programs has begun to wait for a routine, a
# timer's signal checks the routine. It is sent to the program's threads only, not to a thread that the emulator has for
# itself.
for run in $(pick 1 "1 2 3 4"); do
    times=$(pick 500 40000) arrive call=wrapper long 500000
done

# The collector stops all threads by signals, and resumes them.
alpha world world.c -lpthread
for tool in prof third $(pick "" "cache memsys values audit"); do
    instrument world-$tool -t $tool world || continue
    # shellcheck disable=SC2046
    timeout -s KILL 1500 "$QEMU" world-$tool $(pick "4 5" "8 20") >printed 2>&1 || true
    check "world/$tool" "grep -qx right printed" printed
done

# Linked dynamically, alone and with the libraries.
libraries=/usr/alpha-linux-gnu # bound at once: the code that binds late has no frames
shared dynamic program.c -lpthread
for objects in main all; do
    for tool in $(pick "$([ $objects = main ] && echo cache || echo prof)" "prof cache audit third"); do
        instrument $objects-$tool --objects=$objects -t $tool dynamic || continue
        for way in "tls 2000" "frames 20000" "nested 5000" "altstack 5000" "jump 10000" threads "masks 2000"; do
            # shellcheck disable=SC2086
            arrive $objects-$tool $way
        done
    done
done
