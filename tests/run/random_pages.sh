# random_pages: random pages (tests/pages) have the same results with each way of calling and each pass disabled, and
# the program behaves as without them, for each machine. PAGES selects pages: PAGES="$(seq 100 150)" tests/runner.sh check random_pages.
# PROGRAM="PATH ARGUMENT..." selects another program for Alpha, which must do the same in every run; a dynamic program with the
# libraries that it names. (The dynamic linker reads the time.)
cp "$tests/pages/routines.c" .
passes=$("$ATOMC" info passes | sed '1,/--without/d; s/ .*//; s/^/--without=/')
small=(-O2 -g -static -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns "$top/tests/bench/small.c" -o program)

# do_run RESULT PROGRAM: its output, its status, and the files of the tool.
do_run() {
    local status=0
    rm -rf "$1"
    mkdir "$1"
    cp "$2" run
    (cd "$1" && env -i "${emulator[@]}" -seed 1 -0 x ../run "${arguments[@]}" >stdout 2>stderr) || status=$?
    echo "$status" >"$1/status"
}
# apply PAGE OUTPUT LEFT [SWITCH...]: LEFT has the actions that could not be made at their place.
apply() {
    "$ATOMC" "${objects[@]}" "${@:4}" "$1" program -o "$2" >log 2>&1 &&
        { grep -o '[0-9]* calls or updates are left out.*' log >"$3" || true; }
}

# Pages of the machine (page.awk; empty: Alpha) with the seeds, in the ways of the list `ways`.
try_pages() { # MACHINE SEED...
    local machine=$1 name=${1:-Alpha} compared=0 seed way each
    check "ways/$name" "[ ${#ways[@]} -ge 17 ]"
    do_run plain program
    for seed in "${@:2}"; do
        awk -v seed="$seed" -v machine="$machine" -f "$tests/pages/page.awk" >page.atd
        apply page.atd default left || { failed "page $name $seed" "not instrumented" log && continue; }
        do_run expected default
        for each in stdout stderr status; do
            cmp -s plain/$each expected/$each || failed "page $name $seed" "another $each" "expected/$each"
        done
        [ -s expected/page.out ] && { [ -n "$machine" ] || [ -s expected/routines.out ]; } ||
            failed "page $name $seed" "no results" expected/stderr
        for way in "--without=all" "${ways[seed % ${#ways[@]}]}" "${ways[(seed * 7 + 3) % ${#ways[@]}]}"; do
            apply page.atd other left.other "$way" || { failed "page $name $seed $way" "not instrumented" log && continue; }
            # An action between load-locked and store-conditional needs a free register.
            cmp -s left left.other || continue
            do_run found other
            compared=$((compared + 1))
            diff -r expected found >log 2>&1 || failed "page $name $seed $way" "other results" log
        done
    done
    check "compared/$name" "[ $compared -ge 12 ] || [ -n '${PAGES:+some}' ]"
}

read -r -a arguments <<<"${PROGRAM:-program 1}"
emulator=("$QEMU" -L /usr/alpha-linux-gnu) objects=()
if [ -n "${PROGRAM:-}" ]; then cp "${arguments[0]}" program; else alpha-linux-gnu-gcc -Wl,--no-relax "${small[@]}"; fi
unset 'arguments[0]'
! alpha-linux-gnu-readelf -lW program | grep -q INTERP ||
    objects=("--objects=main$(alpha-linux-gnu-readelf -dW program | sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/,\1/p' | tr -d '\n')")
mapfile -t ways < <(echo "$passes" &&
    printf '%s\n' --call=wrapper --stack=program --for=qemu --poison && { [ ${#objects[@]} -gt 0 ] || echo --copy=all; })
# Before the corrections of these errors, these pages differed: 9, 47 and 60 (values that pass through procedures), 48
# (edges), 13 (shadow registers).
# shellcheck disable=SC2046
try_pages "" ${PAGES:-9 13 47 48 60 1 $(pick "" "$(seq 150)")}

command -v aarch64-linux-gnu-gcc >/dev/null && command -v "$QEMU_AARCH64" >/dev/null || {
    skipped AArch64 "no compiler, or no emulator, for AArch64"
    return
}
emulator=("$QEMU_AARCH64" -cpu max) objects=() arguments=(1)
aarch64-linux-gnu-gcc -fno-stack-protector "${small[@]}"
mapfile -t ways < <(echo "$passes" && printf '%s\n' --stack=program --for=qemu --poison --copy=all)
# shellcheck disable=SC2046
try_pages AArch64 ${PAGES:-1 2 3 7 12 17 $(pick "" "$(seq 150)")}
