# json: the output of --json is JSON, and has the same contents as the text.
# size: quick
alpha program "$top/docs/examples/primes.c" -g

# ---- diagnostics: those of all wrong tools without C, in one document each ------------------------------------------

cd "$tests/atd/errors"
for tool in *.atd; do
    [ -e "${tool%.atd}.c" ] || "$ATOMC" --check --json "$tool" || true
done >"$scratch/documents"
for tool in *.atd; do
    [ -e "${tool%.atd}.c" ] || sed -n '/^hint: /{p;d}; /^[^ ]*: [a-z ]*: /p' "${tool%.atd}.expected"
done >"$scratch/texts"
jq -r '.diagnostics[] | (if .file then "\(.file):\(.line):\(.column)" else "atomc" end) + ": \(.severity): \(.message)",
    (select(.hint) | "hint: " + .hint)' "$scratch/documents" >"$scratch/found"
jq -r '.diagnostics[] | select(.file) | [.file, .begin, .end, .line, .column, .end_line, .end_column] |
    @tsv' "$scratch/documents" \
    >"$scratch/ranges"
cd "$scratch"
same diagnostics/texts texts found

# The bytes of a range are above the carets, and its lines and columns lead to them.
known=
while IFS=$'\t' read -r file begin end line column end_line end_column; do
    [ "$file" = "$known" ] || {
        known=$file contents=$(cat "$tests/atd/errors/$file" && echo .)
        mapfile -t all <"$tests/atd/errors/$file"
    }
    text=${contents:begin:end - begin}
    printf -v whole '%s\n' "${all[@]:line - 1:end_line - line + 1}"
    whole=${whole%$'\n'}
    last=${whole##*$'\n'} LC_ALL=C.UTF-8
    by_columns=${whole:column - 1}
    by_columns=${by_columns:0:${#by_columns} - (${#last} - end_column + 1)}
    [ "${text%$'\n'}" = "${by_columns%$'\n'}" ] || echo "$file:$line:$column: '$text' is not '$by_columns'"
    LC_ALL=C
done <ranges >wrong
check diagnostics/ranges "[ \$(wc -l <ranges) -gt 100 ] && [ ! -s wrong ]" wrong
awk -F '\t' '{ print $1, $4, $5, ($7 > $5 && $6 == $4 ? $7 - $5 : 0) }' ranges >lengths
for file in "$tests"/atd/errors/*.expected; do
    # If a line is cut or has tabs or other characters, carets are at other columns.
    awk '/^[^ ]*:[0-9]+:[0-9]+: / { split($1, part, ":"); quoted = ""; next }
        /^ *\^~*$/ { if (quoted ~ /^[ -}]*$/ && quoted !~ /^  \.\.\.|\.\.\.$/) print part[1], part[2], part[3], length($1); next }
        { quoted = $0 }' "$file"
done >carets
sort -u lengths >lengths.sorted
awk 'NR == FNR { if (!$4) open[$1 " " $2 " " $3]; next } !($1 " " $2 " " $3 in open)' lengths carets | sort -u |
    grep -v -f <(cd "$tests/atd/errors" && for c in *.c; do echo "^${c%.c}.atd "; done) |
    grep -v -x -f lengths.sorted >elsewhere || true
# A single caret marks an empty range, or a range that continues in other lines.
check diagnostics/carets "[ \$(wc -l <carets) -gt 100 ] && ! grep -v ' 1\$' elsewhere"

cat >wrong.c <<'END'
long Count(long n) { return undeclared + missing; }
END
cat >wrong.atd <<'END'
tool wrong "its C does not compile"
analysis "wrong.c"
before program call Count(1)
END
"$ATOMC" --check --json wrong.atd >document || true
check diagnostics/c "jq -e '[.diagnostics[] | select(.id == \"c\" and .severity == \"error\" and
    .line == 1)] | length == 2' document"
printf 'tool t "\xff"\nbefore program call \xff()\n' >bytes.atd
"$ATOMC" --check --json bytes.atd >document || true
check diagnostics/not-utf-8 "jq -e '.diagnostics | length > 0' document"
check diagnostics/status "! '$ATOMC' --check --json bytes.atd >/dev/null && '$ATOMC' --check --json -t prof >/dev/null"
"$ATOMC" --check --json -t prof program --no-such-option >document 2>errors || true
check diagnostics/options "[ ! -s errors ] && jq -e '.diagnostics[0].id == \"USAGE\"' document"

# ---- documents ------------------------------------------------------------------------------------------------------

"$ATOMC" --list --json >list.json
jq -r '.tools[] | "\(.name) \(.description)"' list.json >found
"$ATOMC" --list | tr -s ' ' >expected
same list expected found
# In the order of the choices.
cat >groups <<'END'
profiles
memory
caches and buffers
branches and pipeline
coverage
checking
files and system calls
traces and measurements
END
jq -r '.tools[].group' list.json | sort -u >found
sort groups >expected
same list/groups expected found
check list/start "[ \"\$(jq -r '.tools[] | select(.start) | .name' list.json | paste -s -d ' ')\" = 'branch cache hiprof prof' ]"
check list/c "[ \$(jq '[.tools[] | select(.has_c | not)] | length' list.json) = 15 ]"

for tool in $(jq -r '.tools[].name' list.json); do
    "$ATOMC" --help "$tool" --json | jq -c '.tools[0]'
done >tools.json
for tool in $(jq -r '.tools[].name' list.json); do
    "$ATOMC" --help "$tool" | sed -n '/^parameters, /,$ s/^  \([a-z_0-9]*\) *\([a-z]*\) *= .*/\1 \2/p'
done >expected
jq -r '.parameters[] | "\(.name) \(.type)"' tools.json >found
same help/parameters expected found
check help/heading "[ \$(jq -r 'select(.heading | has(\"file\") and has(\"output\")) | .name' tools.json | wc -l) = 30 ]"
prints help/bounds jq -c 'select(.name == "branch") | .parameters[] |
    [.name, .type, .default, .choices, .least, .greatest]' tools.json <<'END'
["out","string","branch.out",null,null,null]
["predictor","string","none",["none","2bit","gshare"],null,null]
["counters","int",256,null,1,65536]
END
cat >meanings.atd <<'END'
tool meanings "how values of several runs are put together"
set own = procs
counter added[own], most[own], least[own], last[own]
for p in own {
    before p added[p]++, most[p] max= $sp, least[p] min= $sp, last[p] = $sp
}
report "meanings.out" for p in own
    "Name" p.name, "Added" added[p], "Twice" 2 * added[p] - added[p], "Square" added[p] * added[p], "One more" added[p] + 1,
    "Most" most[p], "Least" least[p], "Last" last[p], "Share" percent added[p], "Mean" added[p] / (3 * added[p]), "Line" p.line
END
"$ATOMC" --help meanings.atd --json |
    jq -r '.tools[0].reports[0].columns[] | "\(.title) \(.role) \(.merge) \(.of) \(.hidden)"' >meanings
prints help/meanings cat meanings <<'END'
Name label same null null
Added measure sum null null
Twice measure sum null null
Square measure none null null
One more measure none null null
Most measure greatest null null
Least measure least null null
Last measure none null null
Share measure share [1] null
Mean measure ratio [1,12] null
Line label same null null
p key same null true
Mean measure sum null true
END
# A form made from a document offers all values that the tool accepts, and no others.
while IFS=$'\t' read -r tool parameter value expected; do
    status=0
    "$ATOMC" --check -t "$tool" -D "$parameter=$value" >/dev/null 2>&1 || status=$?
    [ $status = "$expected" ] || echo "$tool -D $parameter=$value: exit status $status"
done < <(jq -r '.name as $tool | .parameters[] |
    (select(.choices) | [$tool, .name, .choices[0], 0], [$tool, .name, "none of these", 1]),
    (select(.least) | [$tool, .name, .least - 1, 1]), (select(.greatest) | [$tool, .name, .greatest + 1, 1]) | @tsv' tools.json |
    awk "NR % $(pick 4 1) == 0") >wrong
check help/limits "[ ! -s wrong ]" wrong

"$ATOMC" info --json >info.json
jq -r '.attributes[] | "\(.place) \(.attribute) \(.type)"' info.json >found
"$ATOMC" info attributes | awk 'NR > 1 { sub(/\(r\)/, "", $2); print $1, $2, $3 == "instruction" ? $3 : $3 }' >expected
check info/attributes "[ \$(wc -l <found) -gt 100 ] && diff <(cut -d' ' -f1,2 expected) <(cut -d' ' -f1,2 found)"
check info/addresses "jq -e '[.attributes[] | select(.is_address and .type != \"integer\")] == []' info.json &&
    jq -e '.attributes[] | select(.place == \"inst\" and .attribute == \"target_pc\") | .is_address' info.json"

"$ATOMC" -t branch -v --json program -o instrumented >statistics.json
"$ATOMC" -t branch -v program -o instrumented >statistics
check statistics \
    "[ \$(jq .statistics.updates statistics.json) = \$(awk '/counter updates inserted/ { print \$4 + 0 }' statistics) ] &&
    [ \$(jq .statistics.file_bytes_after statistics.json) = \$(stat -c %s instrumented) ]"
"$ATOMC" -t prof program -o instrumented --progress=3 3>progress >/dev/null
check progress "jq -s -e 'length == .[0].of and .[-1].done == length - 1 and .[-1].pass == \"writing\"' progress"

# ---- JSON Lines -----------------------------------------------------------------------------------------------------

"$ATOMC" --dump=instructions --json --only=main program >instructions.json
alpha-linux-gnu-objdump -d program >disassembly
awk '/<main>:$/ { inside = 1; next } !NF { inside = 0 } inside { sub(":", "", $1);
    print "0x" $1, "0x" $5 $4 $3 $2 }' disassembly >expected
jq -r '"\(.pc) \(.word)"' instructions.json >found
same instructions expected found
# Direct transfers have their target: the address that is printed last.
awk '/<main>:$/ { inside = 1; next } !NF { inside = 0 } inside && $6 ~ /^(f?b[a-z]+)$/ && $6 !~ /^(bis|bic)$/ && /<[^<>]*>$/ {
    sub(":", "", $1); n = split($7, part, ","); print "0x" $1, "0x" part[n] }' disassembly >expected
jq -r 'select(.target) | "\(.pc) \(.target)"' instructions.json >found
same targets expected found
"$ATOMC" --dump=cfg --json program >cfg.json
"$ATOMC" --dump=cfg program >cfg
for place in proc block loop; do
    echo $place "$(jq -r "select(.place == \"$place\") | .place" cfg.json | wc -l)"
done >found
{
    echo proc "$(grep -c '^procedure' cfg)"
    echo block "$(grep -c '^  block' cfg)"
    echo loop "$(grep -c '^  loop' cfg)"
} >expected
same cfg/counts expected found
check cfg/inside "jq -s -e '([.[] | select(.place == \"proc\") | .nedges] | add) == ([.[] |
    select(.place == \"edge\")] | length)' cfg.json"
"$ATOMC" -t branch --dump=sites --json program >sites.json
"$ATOMC" -t branch --dump=sites program | sed -n 's/^\([a-z]*\) \(0x[0-9a-f]*\) [^ ]* [a-z]*: /\1 \2 /p' >expected
jq -r 'select(.pc) | "\(.when) \(.pc) \(.text)"' sites.json >found
same sites expected found
check sites/statement "[ \$(jq -r 'select(.pc) | .statement.line' sites.json | sort -u | wc -l) = 1 ]"
"$ATOMC" --dump=instructions --only=mian,main --json program >lines || true
check only/unknown "jq -s -e 'length == 1 and .[0].diagnostic.hint == \"did you mean '\\''main'\\''?\"' lines"
"$ATOMC" --dump=cfg --only=main,primes program >found 2>&1 || true
check only/text "[ \$(grep -c '^procedure' found) -le 2 ]" found
# Procedures partition the text; the attributes of each equal those of --dump=cfg. An address in one chooses it.
"$ATOMC" --dump=procedures --json program >procedures.json
jq -c '[.pc, .name, .size, .instructions, .blocks, .file, .line]' procedures.json >found
jq -c 'select(.place == "proc") | [.pc, .name, .size, .ninsts, .nblocks, .file, .line]' cfg.json >expected
same procedures expected found
"$ATOMC" --dump=procedures program | sed 's/ in .*//' >found
jq -r '"\(.pc) \(.name)"' procedures.json >expected
same procedures/text expected found
inside=$(jq -r 'select(.mnemonic == "ret") | .pc' instructions.json | head -1)
"$ATOMC" --dump=instructions --json --only="$inside" program >found
same only/address instructions.json found
for address in 0x10 "${inside}g" 0x; do
    "$ATOMC" --dump=instructions --json --only=$address program || true
done >found
check only/outside "[ \$(grep -c NO_SUCH_PROCEDURE found) = 3 ] && [ \$(wc -l <found) = 3 ]" found
jq -r 'select(.place == "callsite") | "\(.pc) \(.callee)"' cfg.json | sort >expected
"$ATOMC" --dump=instructions --json program |
    jq -r 'select(.mnemonic == "jsr" or .mnemonic == "bsr") | "\(.pc) \(.callee)"' | sort >found
check callees "[ \$(comm -23 expected found | wc -l) = 0 ] && grep -q ' printf' found" expected

# Shapes: equal for a program that was linked differently, but not for one that was compiled differently.
echo 'int unused(int a, int b) { return a / b; }' >more.c
alpha elsewhere "$top/docs/examples/primes.c" more.c -g -Wl,-Ttext-segment=0x130000000
alpha otherwise "$top/docs/examples/primes.c" -g -O1
shapes() { # PROGRAM
    "$ATOMC" --dump=procedures --json "$1" | jq -r 'select(.size > 100) | "\(.name) \(.shape)"' | sort
}
shapes program >shapes.program
shapes elsewhere >shapes.elsewhere
shapes otherwise >shapes.otherwise
check shapes/moved "[ \$(comm -12 shapes.program shapes.elsewhere | wc -l) -ge \$((\$(wc -l <shapes.program) * 98 / 100)) ] &&
    ! jq -r .pc procedures.json | head -20 | grep -q '^0x13'" shapes.program shapes.elsewhere
check shapes/code "! comm -12 shapes.program shapes.otherwise | grep -q '^main '"

# Objects: the facts that binutils print about the program.
"$ATOMC" --dump=program --json program >objects.json
build_id=$(alpha-linux-gnu-readelf -n program 2>/dev/null | sed -n 's/.*Build ID: //p')
check objects "jq -e -s --arg id '$build_id' --argjson size \$(stat -c %s program) 'length == 1 and (.[0] |
    .role == \"main\" and .size == \$size and .has_symbols and .has_lines and (.is_dynamic | not) and
        .build_id == (\$id | if . == \"\" then null else . end))' objects.json"
alpha-linux-gnu-strip -o stripped program
check objects/stripped "[ \$(\"$ATOMC\" --dump=program --json stripped | jq -c '[.has_symbols, .has_lines]') = '[false,false]' ]"
for words in "--dump=map -t prof program" "--only=main -t prof program" "--header -t cache"; do
    status=0
    # shellcheck disable=SC2086
    "$ATOMC" --json $words >document || status=$?
    echo "$status $(jq -r '.diagnostic // .diagnostics[0] | .id' document)"
done >found
check refused "[ \"\$(sort -u found)\" = '1 USAGE' ]" found
