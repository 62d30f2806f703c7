# layouts: for all addresses of the program's memory that a kernel or an emulator chooses, the behaviour and the counts
# are the same. The distribution's emulator is called as people call it: from QEMU 9 on, each run has another layout.
alpha static "$tests/data/layouts.c"
shared dynamic "$tests/data/layouts.c" -fno-pie -no-pie
shared pie "$tests/data/layouts.c" -fPIE -pie
emulator=$(command -v qemu-alpha || command -v qemu-alpha-static)
times=$(grep -q '"-R"' "$BUILD/tests/emulator/interface.h" && pick 1 20 || echo 1)
# Results that do not depend on addresses; the work of the dynamic linker, and of libraries for it, does.
constant() { # TOOL OBJECTS
    case $1-$2 in
    prof-all | hiprof-all) grep -w -o -e main -e deep -e compare "$1.out" | sort -u ;;
    *-all) ;;
    prof-* | hiprof-* | third-*) cat "$1.out" ;;
    cache-*) cut -f2 cache.out ;;
    audit-*) cut -f1,2 audit.out | sort ;;
    esac
}
runs=0 differences=0
# make check has each tool with each kind of object, in one of the kinds of program.
taken=" static-prof-main static-third-main dynamic-audit-main pie-cache-main pie-hiprof-main dynamic-cache-all pie-prof-all dynamic-third-all pie-hiprof-all "
for program in static dynamic pie; do
    for tool in prof cache audit third hiprof; do
        for objects in $([ $tool = third ] && [ $program != static ] || echo main) \
            $([ $program = static ] || [ $tool = audit ] || echo all); do
            [ "$SIZE" = all ] || [[ "$taken" = *" $program-$tool-$objects "* ]] || continue
            instrument instrumented -t $tool --objects=$objects $program || continue
            for ((i = 0; i < times; i++)); do
                "$emulator" -L /usr/alpha-linux-gnu $program >expected 2>&1
                status=0
                "$emulator" -L /usr/alpha-linux-gnu instrumented >found 2>&1 || status=$?
                constant $tool $objects >rows
                [ $i -gt 0 ] || cp rows first
                runs=$((runs + 1))
                [ $status = 0 ] && cmp -s expected found && cmp -s first rows && continue
                differences=$((differences + 1))
                { echo "$program $tool $objects: status $status" && diff expected found && diff first rows; } >>differ || true
            done
            [ $objects = all ] || check "$program/$tool/counts" \
                "[ \$(wc -l <first) -ge $([ $tool = third ] && echo 1 || echo 2) ]" first
        done
    done
done
check "all" "[ $runs -ge $(($(pick 9 20) * times)) ] && [ $differences = 0 ]" differ
echo "# $runs runs, $differences differences"
