# chart: atomc chart: each kind of display on a tool's own results, as text and as SVG: its numbers are the report's,
# and the picture is well-formed. atomc run --chart: the program's output and status are its own, no file is left, and
# links remain links.
cp "$top/docs/examples/queens.c" .
alpha queens queens.c -g
cat >page.atd <<'END'
tool page "a display of each kind"
counter executed[procs]
for p in procs { for b in p.blocks { before b executed[p] += b.ninsts } }
report "line.out" for p in procs where executed[p] > 0 "Size" p.size, "Instructions" executed[p]
    display line "Instructions" by "Size"
report "scatter.out" for p in procs where executed[p] > 0
    "Size" p.size, "Instructions" executed[p] unit "<&>" display scatter "Instructions" against "Size"
report "treemap.out" for p in procs where executed[p] > 0
    "Procedure" p.name, "Instructions" executed[p] display treemap "Instructions" by "Procedure"
report "facts.out" "Procedures" count(procs), "Executed" count(insts)
report "none.out" for p in procs where executed[p] > 0 "Procedure" p.name, "Instructions" executed[p] display table
END
run_with() { # FOLDER TOOLS...
    folder=$1
    shift
    "$ATOMC" "$@" queens -o queens.atom
    ATOMC_FORMAT=rows ATOMC_OUT=$folder "$QEMU" ./queens.atom >/dev/null
}
run_with rows page.atd -t prof -t hiprof -t callgraph -t malloc -t branch

# Well-formed: one element, all tags are closed, no text has an unescaped < or &.
well_formed() { # FILE
    perl -0777 -ne 'my @open; my $good = 1;
        while (/\G(?:[^<&]|&(?:amp|lt|gt|quot);)*(?:<(\/?)(\w+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>)/gc) {
            my ($closes, $name, $empty) = ($1, $2, $3);
            if ($closes) { $good &&= pop(@open) eq $name } elsif (!$empty) { push @open, $name } }
        /\G\s*/gc; exit !($good && !@open && pos($_) == length)' "$1"
}
kind() { # NAME REPORT
    "$ATOMC" chart --report="$2" --width=80 rows >"$1.txt"
    "$ATOMC" chart --report="$2" --format=svg rows -o "$1.svg"
    check "$1/svg" "well_formed $1.svg && grep -q '<title>\|<circle\|<text' $1.svg"
}
while read -r name report; do kind "$name" "$report"; done <<'END'
bars prof.out
flame hiprof.out.tree
graph callgraph.out
histogram malloc.out
heat branch.out
line line.out
scatter scatter.out
treemap treemap.out
facts facts.out
END
echo '<svg><text>a & b</text></svg>' >wrong.svg
check wrong '! well_formed wrong.svg'
jq -r 'select(type == "array") | "\(.[3]) \(.[1])"' rows/prof.*.rows | sort -k2,2nr | head -20 | sort >expected
sed -n '3,22s/ *█.*//p; 3,22s/ *[▏▎▍▌▋▊▉].*//p' bars.txt | awk '{ print $1, $2 }' | sort -u >found
check bars/numbers 'diff expected found && [ $(wc -l <found) = 20 ]'
grep -o '<rect[^>]*><title>[^<]*' bars.svg | sed 's/.*<title>//; s/: / /' | sort >found
check bars/svg_numbers 'diff expected found'
check heat/title "sed -n 2p heat.txt | grep -q '^Taken$'"
check flame/root "sed -n '3s/ *█.*//p' flame.txt | grep -q '^100.0 % _start$'"
check histogram/sum "[ \$(awk 'NR > 2 { n += \$2 } END { print n + 0 }' histogram.txt) = \$(jq -s 'map(select(type == \"array\"))
    | map(.[2]) | add' rows/malloc.*.rows) ]"
check scatter/unit "sed -n 2p scatter.txt | grep -q '^Instructions (<&>) against Size' && grep -q '(&lt;&amp;&gt;)' scatter.svg"
check facts/text "diff facts.txt - <<'END'
page facts.out: queens
Procedures  $("$ATOMC" --dump=procedures queens --json | wc -l)
Executed    $("$ATOMC" --dump=instructions queens --json | wc -l)
END"
# A display other than the page's.
"$ATOMC" chart --report=branch.out --display='treemap "Taken" by File' --top=3 --width=60 rows >other.txt
jq -r 'select(type == "array") | "\(.[1]) \(.[4])"' rows/branch.*.rows | awk '{ n[$2] += $1 } END { for (f in n) print n[f] }' |
    sort -nr | head -1 >expected
check display/text 'sed -n 3p other.txt | grep -q " $(cat expected) █"' other.txt
"$ATOMC" chart --report=branch.out --display='treemap Taken by File' --format=svg rows -o other.svg
check display/folder "well_formed other.svg && grep -q '>[^<]*/</text>' other.svg &&
    grep -q '>queens.c</text>' other.svg" other.svg
"$ATOMC" chart --report=branch.out --display='scatter Taken against Line' --format=svg rows -o other.svg
check display/points '[ $(grep -c "<circle" other.svg) = $(jq -c "select(type == \"array\")" rows/branch.*.rows | wc -l) ]' \
    other.svg
while read -r wrong picture; do
    "$ATOMC" chart --report=branch.out --display="$picture" rows >out 2>err && status=0 || status=$?
    check "display/$wrong" "[ $status = 1 ] && grep -q \": '$wrong' does not fit\" err &&
        grep -q '^hint: its columns are .PC., ' err" err
done <<'END'
tremap tremap Taken by File
Fil bars Taken by Fil
from bars Taken from File
File scatter Taken against File
more bars Taken by File more
flame flame Taken by File
END
check several "! '$ATOMC' chart --format=svg rows -o several.svg 2>err && [ ! -e several.svg ] && grep -q 'shows one report' err"
"$ATOMC" chart rows >all.txt
check table "grep -q '^page none.out: a table, which atomc merge prints$' all.txt"
check none "! '$ATOMC' chart --report=none.out rows 2>err && grep -q 'no report that can be drawn' err"

# ---- atomc run ---------------------------------------------------------------------------------------------------------
export TMPDIR=$PWD/temporary
mkdir temporary
"$ATOMC" run --chart -t prof ./queens >found 2>picture && status=0 || status=$?
"$QEMU" queens >expected
sed 's/: .*//' bars.txt >plain
check run/output "[ $status = 0 ] && cmp expected found &&
    diff <(awk 'NR > 2 && NR < 9 { print \$1 }' bars.txt | sort) <(awk 'NR > 2 && NR < 9 { print \$1 }' picture | sort)"
"$ATOMC" run --svg=run.svg -t prof ./queens >found 2>err
check run/svg "cmp expected found && well_formed run.svg && [ ! -s err ]" err
echo 'int main(void) { return 7; }' >seven.c
printf '#include <stdlib.h>\nint main(void) { abort(); }\n' >aborts.c
alpha seven seven.c
alpha aborts aborts.c
"$ATOMC" run --chart -t prof ./seven >/dev/null 2>err && status=0 || status=$?
check run/status "[ $status = 7 ] && grep -q '^__tunables_init' err" err
XDG_CACHE_HOME=$PWD/new bash -c 'ulimit -c 0; "$0" run --chart -t prof ./aborts >/dev/null 2>err' "$ATOMC" \
    2>shell && status=0 || status=$?
check run/signal "[ $status = 134 ] && grep -q '^__tunables_init' err" err
check run/left "[ -z \"\$(ls temporary)\" ]"

# ---- what is written through a link is the file that is meant ------------------------------------------------------------
: >real
ln -s real link
ln -s /proc/self/fd/1 output
"$ATOMC" merge rows/prof.*.rows -o link
"$ATOMC" merge rows/prof.*.rows -o output >through
"$ATOMC" -t prof queens -o output >program
check links "[ -L link ] && [ -L output ] && [ -s real ] && cmp real through && '$QEMU' program | cmp expected -"
