#!/bin/bash
# try.sh: make try: sets up, builds, and shows the main use on a real program: bzip2, built from its Debian source,
# counted branch by branch. The output of the steps is in build/logs; with V=1 it is shown. Requires: Debian, and for
# packages that are missing root or sudo.
set -eu
cd "$(dirname "$0")/.."
work=build/try log=build/logs/try
mkdir -p "$work" build/logs
: >"$log"
MAKE=${MAKE:-make}

# step TEXT COMMAND...: prints the text, runs the command, and prints the time that it took.
steps=0
step() {
    local text=$((++steps)).\ $1 begun=$SECONDS
    shift
    if [ -n "${V:-}" ]; then
        echo "$text"
        "$@"
        return
    fi
    [ ! -t 1 ] || printf '%s ...' "$text"
    if ! "$@" >>"$log" 2>&1; then
        [ -t 1 ] || printf '%s' "$text"
        printf '\nThis failed. The end of what it printed; all of it is in %s:\n' "$PWD/$log" >&2
        tail -n 15 "$log" >&2
        exit 1
    fi
    [ ! -t 1 ] || printf '\r'
    printf '%s: %d s\n' "$text" $((SECONDS - begun))
}
grouped() { # a number with commas
    local number=$1
    while [[ $number =~ ^([0-9]+)([0-9]{3}.*)$ ]]; do number=${BASH_REMATCH[1]},${BASH_REMATCH[2]}; done
    echo "$number"
}

echo "atomc on a real program, from nothing: three minutes the first time, five seconds afterwards."
scripts/setup.sh build
instrument() {
    ./atomc -v docs/examples/branch.atd docs/examples/branch.c "$bzip2" -o "$work/bzip2.atom"
}
run_both() {
    qemu-alpha -0 bzip2 "$bzip2" -c <"$work/input" >"$work/plain.bz2"
    (cd "$work" && qemu-alpha -0 bzip2 ./bzip2.atom -c <input >instrumented.bz2)
    cmp "$work/plain.bz2" "$work/instrumented.bz2"
}
step "Build atomc, which takes a minute on two processors" "$MAKE" --no-print-directory V=1 -j"$(nproc)" all
step "Build bzip2 for Alpha, from Debian's source" tests/programs/build.sh bzip2 O2
bzip2=build/programs/bzip2-O2/bzip2
step "atomc docs/examples/branch.atd docs/examples/branch.c bzip2 -o bzip2.atom" instrument
cat ./*/*.c ./*/*.h >"$work/input"
step "bzip2 and bzip2.atom compress $(grouped "$(wc -c <"$work/input")") bytes of C: the same output" run_both

run_on_aarch64() {
    MACHINE=aarch64 tests/programs/build.sh bzip2 O2
    ./atomc -t prof build/programs/aarch64-bzip2-O2/bzip2 -o "$work/aarch64.atom"
    (cd "$work" && qemu-aarch64 -0 bzip2 ./aarch64.atom -c <input >aarch64.bz2)
    cmp "$work/plain.bz2" "$work/aarch64.bz2"
}
# Its compiler is installed by make check.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    step "atomc -t prof for bzip2 on AArch64: the same output again" run_on_aarch64
fi

echo
echo "The busiest of the $(grouped "$(($(wc -l <"$work/branch.out") - 1))") branches that bzip2 executes (all: $work/branch.out):"
awk -F '\t' 'NR > 1 { print $2 + $3 "\t" $0 }' "$work/branch.out" | sort -t '	' -k 1,1nr | head -n 7 | awk -F '\t' '
    function grouped(n,    s) { s = n; while (match(s, /[0-9][0-9][0-9][0-9]($|,)/)) s = substr(s, 1, RSTART) "," substr(s, RSTART + 1); return s }
    BEGIN { printf "%14s %14s  %-22s %s\n", "Taken", "Not taken", "Procedure", "Source" }
    { sub(/.*\//, "", $6); printf "%14s %14s  %-22s %s\n", grouped($3), grouped($4), $5, $6 }'
echo
echo "Where the instructions go: atomc run -t prof --chart -- bzip2 -c"
ATOMC_FORMAT=table ./atomc run -t prof --chart -- "$bzip2" -c <"$work/input" 2>&1 >"$work/run.bz2" | sed -n '3,7p'
cmp "$work/plain.bz2" "$work/run.bz2"
cat <<END

Go on, in this shell:
    export PATH=\$PWD:\$PATH; atomc examples /tmp/atomc-examples; cd /tmp/atomc-examples
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax queens.c -o queens
    atomc run -t cache -- ./queens
END
