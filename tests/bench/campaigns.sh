#!/bin/bash
# campaigns.sh RUNS ROWS: what a campaign of RUNS runs with ROWS rows each costs (docs/internals/scaling.md): plan, status, collect, table; seconds by
# the clock and of the processor, and bytes. One run is real, the others are copies of it with other keys and numbers.
# Requires a build; RUNS is a multiple of 100. It works in a temporary folder (TMPDIR) of about 100 bytes a row and 40 kB a run.
set -eu
runs=$1 rows=$2
atomc=$(realpath "$(dirname "$0")/../../build/atomc")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >small.s <<'END'
        .globl _start
        .ent _start
_start: .frame $30,0,$26,0
        .prologue 0
        lda     $16, 0($31)
        lda     $0, 1($31)
        call_pal 0x83
        .end _start
END
alpha-linux-gnu-gcc -static -nostdlib -Wl,--no-relax small.s -o small
cat >steps.atd <<'END'
tool steps "instructions of procedures"
param int times = 1 "for each"
counter executed[procs]
for p in procs { for b in p.blocks { before b executed[p] += b.ninsts * times } }
report "steps.out" for p in procs "PC" p.pc, "Steps" executed[p], "Procedure" p.name
END
awk -v runs="$runs" 'BEGIN {
    printf "{\"campaign\": \"large\", \"tools\": [{\"path\": \"steps.atd\", \"parameters\": {\"times\": ["
    for (i = 1; i <= 10; i++) printf "%s%d", (i > 1 ? ", " : ""), i
    printf "]}}], \"programs\": [{\"path\": \"small\", \"inputs\": ["
    for (i = 1; i <= runs / 10; i++) printf "%s{\"name\": \"input %d\", \"arguments\": [\"%d\"]}", (i > 1 ? ",\n" : ""), i, i
    print "]}]}"
}' >large.json

timed() { # TITLE COMMAND...
    local title=$1
    shift
    TIMEFORMAT='%R %U %S'
    { time "$@" >said; } 2>taken
    awk -v title="$title" '{ printf "%-34s %8.2f s  %8.2f s of the processor\n", title, $1, $2 + $3 }' <(tail -n 1 taken)
}
timed "plan, no runs" "$atomc" campaign plan large.json --many
"$atomc" campaign run large.json --many --engine=list | sed 's|.*/||' >names
first=$(head -n 1 names)
"$atomc" run --job="campaigns/large/jobs/$first.json" --into=real
mkdir -p runs
key=${first%.*}
while read -r name; do
    mkdir -p "runs/$name/out/2"
    sed "s/$key/${name%.*}/" real/run.json >"runs/$name/run.json"
    cp real/stdout.zst real/stderr.zst real/log.jsonl "runs/$name"
done <names
awk -v rows="$rows" -v header="$(head -n 1 real/out/2/steps.1.rows)" '{
    file = "runs/" $1 "/out/2/steps.1.rows"
    print header >file
    for (i = 0; i < rows; i++) printf "[\"0x%x\",%d,\"procedure_%d\"]\n", 4831838208 + 16 * i, (i * 7919 + NR * 31) % 1000003, i % 5000 >file
    print "{\"end\":true,\"rows\":" rows "}" >file
    close(file)
}' names
echo "runs/: $(du -s -B1 runs | cut -f1) bytes, $(find runs -type f | wc -l) files; files of rows: $(find runs -name '*.rows' -printf '%s\n' | awk '{ s += $1 } END { printf "%.0f", s }') bytes"
timed "plan, all runs are there" "$atomc" campaign plan large.json --many
timed "status" "$atomc" campaign status large.json --many
timed "collect" "$atomc" campaign collect large.json --many
cat said
timed "collect again" "$atomc" campaign collect large.json --many
echo "project.sqlite: $(stat -c %s project.sqlite) bytes"
timed "table of sums" "$atomc" campaign table large.json --many --value=Steps --rows=input
timed "table of sums again" "$atomc" campaign table large.json --many --value=Steps --rows=input
timed "table of seconds" "$atomc" campaign table large.json --many --value=seconds --rows=input
