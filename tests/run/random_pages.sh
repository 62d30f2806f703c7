# random_pages: random pages (tests/pages) have the same results with each way of calling and each pass left out, and the program runs as it does
# without them. FIRST and PAGES choose: FIRST=100 PAGES=50 tests/runner.sh check random_pages
alpha-linux-gnu-gcc -O2 -g -static -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns -Wl,--no-relax "$top/bench/small.c" -o program
cp "$tests/pages/routines.c" .
mapfile -t ways < <("$ATOMC" info passes | sed '1,/--without/d; s/ .*//; s/^/--without=/' && printf '%s\n' --call=wrapper --stack=program --for=qemu --poison --copy=all)
check ways "[ ${#ways[@]} -ge 17 ]"

# do_run RESULT PROGRAM: what it prints, its status, and what the tool has left.
do_run() {
    rm -rf "$1"
    mkdir "$1"
    cp "$2" run
    (cd "$1" && env -i "$QEMU" -seed 1 -0 x ../run 1 >stdout 2>stderr) || echo $? >"$1/status"
}
do_run plain program
made=0
for ((seed = ${FIRST:-1}; seed < ${FIRST:-1} + ${PAGES:-$(pick 6 150)}; seed++)); do
    awk -v seed=$seed -f "$tests/pages/page.awk" >page.atd
    "$ATOMC" page.atd program -o default >log 2>&1 || { failed "page $seed" "not instrumented" log && continue; }
    made=$((made + 1))
    grep -o '[0-9]* calls or updates are left out.*' log >left || true
    do_run expected default
    cmp plain/stdout expected/stdout >log 2>&1 && diff -rq plain expected | grep -v "^Only in expected: \(page\|routines\)\.out" >log && failed "page $seed" "another program" log
    for way in "--without=all" "${ways[seed % ${#ways[@]}]}" "${ways[(seed * 7 + 3) % ${#ways[@]}]}"; do
        "$ATOMC" $way page.atd program -o other >log 2>&1 || { failed "page $seed $way" "not instrumented" log && continue; }
        grep -o '[0-9]* calls or updates are left out.*' log >left.other || true
        cmp -s left left.other || continue # what is between load-locked and store-conditional needs a register
        do_run found other
        diff -r expected found >log 2>&1 || failed "page $seed $way" "other results" log
    done
done
check made "[ $made -ge 6 ] || [ -n '${PAGES:-}' ]"
