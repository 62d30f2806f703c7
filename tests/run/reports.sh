# reports: complete reports: formats, places, order and sums, forks, errors; for programs whose counts are known.
cp "$tests"/reports/* "$top/docs/examples/primes.c" .
alpha work work.c -g
alpha primes primes.c -g
for tool in calls kept groups profile; do
    instrument $tool.atom $tool.atd "$([ $tool = profile ] && echo primes || echo work)"
done

# Each row is a run in a new FOLDER, standard output and error beside it.
while read -r folder status tool argument variables; do
    mkdir "$folder"
    found=0
    # shellcheck disable=SC2086
    (cd "$folder" && exec env -i $variables "$QEMU" "../$tool.atom" "$argument") </dev/null >"$folder.stdout" \
        2>"$folder.stderr" || found=$?
    check "$folder/status" "[ $found = $status ]" "$folder.stderr"
done <<'END'
text 0 calls -
csv 0 calls - ATOMC_FORMAT=csv
json 3 calls s ATOMC_FORMAT=json ATOMC_OUT=-
groups 0 groups - ATOMC_FORMAT=csv
tables 0 groups - ATOMC_FORMAT=json
directory 0 calls d ATOMC_OUT=made/here
signal 134 calls k
fork 0 kept f
word 3 calls s ATOMC_FORMAT=xml
place 3 calls s ATOMC_OUT=/dev/null/here
whole 0 profile - ATOMC_FORMAT=text
whole.csv 0 profile - ATOMC_FORMAT=csv
whole.json 0 profile - ATOMC_FORMAT=json
END

# A file for each process; the single row is written to standard output.
sort fork/first.*.out >fork.files
sort -u fork.stdout >fork.single
# tests/reports/NAME.expected: FILE. Rows of a group are combined; text is the same in every format, and continues in
# one file, as tables do. Another directory, which is created, although the program changes its directory; a signal that
# ends the program; a wrong word, and a wrong place.
while read -r name file; do
    same "$file" "$name.expected" "$file"
done <<'END'
text text/calls.out
csv csv/calls.out
json json.stdout
groups groups/groups.out
groups.text groups/groups.txt
groups.csv groups/groups.tables
groups.json tables/groups.tables
text directory/made/here/calls.out
text signal/calls.out
text word/calls.out
word word.stderr
place place.stderr
fork fork.files
single fork.single
END

# Columns with the same title have different names in JSON; in other formats their titles are unchanged.
instrument titles.atom titles.atd work
(mkdir titles && cd titles && ATOMC_FORMAT=json "$QEMU" ../titles.atom - >/dev/null &&
    ATOMC_OUT=text "$QEMU" ../titles.atom - >/dev/null)
jq -c '.rows[]' titles/titles.out titles/table.out titles/other.out >names 2>log || true
cat >expected <<'END'
{"Calls":1,"Calls 3":10,"Calls 2":20,"Calls 4":30,"Calls 2 2":40}
{"Here":1,"There":2,"Here 2":3}
{"There":1,"Here":2,"There 2":3}
END
same titles expected names
check titles/text "[ \"\$(head -n 1 titles/text/titles.out)\" = \"\$(printf 'Calls\tCalls\tCalls 2\tCalls\tCalls 2')\" ]" \
    titles/text/titles.out

# A profile's parts add up to its whole, and are the same in each format; the program reads the environment, and is
# counted with it.
tr '\t' , <whole/profile.out | sed '$s/$/,/' >expected
same whole/csv expected whole.csv/profile.out
sed -n 's/^{"PC": "\(.*\)", "Instructions": \(.*\), "Percent": \(.*\), "Procedure": "\([^"]*\)"}.*/\1\t\2\t\3\t\4/p' \
    whole.json/profile.out >json.rows
sed '1d; $d' whole/profile.out >expected
same whole/json expected json.rows
awk -F '\t' 'NR == 1 || $1 == "total" { next }
    { sum += $2; count[NR] = $2; percent[NR] = $3; main += $4 == "main"; if (NR > 2 &&
        $2 > latest) print "not sorted"; latest = $2 }
    END { for (row in count) if (sprintf("%.2f", 100 * count[row] / sum) != percent[row]) print "a wrong share"
          if (main != 1 || sum < 100000) print "not all"; print "total\t" sum "\t100.00" }' whole/profile.out >sum
check whole/sum "tail -n 1 whole/profile.out | diff sum -"

# Groups are in the order of their first shown rows: main, which precedes them and is no leaf, is not shown.
alpha deep "$tests/keys/deep.c"
cat >order.atd <<'END'
# order.atd: groups whose first rows do not pass.
tool order "groups in order"
counter n[procs]
for p in procs where p.name in ("down", "leaf", "main") { before p n[p]++ }
report "-" for p in procs where n[p] > 1 and p.name in ("call_fini", "down", "leaf", "main") grouped by p.name == "leaf"
    "Name" p.name, "Calls" n[p]
report "-" for p in procs where n[p] > 1 and p.name in ("call_fini", "down", "leaf", "main")
    grouped by p.name == "leaf" sorted by p.is_leaf and false top 1
    "Name" p.name, "Calls" n[p]
END
alpha-linux-gnu-nm deep | awk '$3 ~ /^(leaf|down)$/' | sort | awk '{ print $3 }' >in-order
instrument instrumented order.atd deep
qemu instrumented >found
awk -F'\t' '/^(leaf|down)/ { print $1 }' found >names
check groups-in-order "[ \$(wc -l <in-order) = 2 ] && cat in-order <(head -n 1 in-order) | diff - names" found

# A sum of counts in hexadecimal is one; addresses and sizes in hexadecimal have none.
cat >hexadecimal.atd <<'END'
# hexadecimal.atd: which columns have a sum.
tool hexadecimal "sums in hexadecimal"
counter n[procs]
for p in procs where p.name in ("down", "leaf") { before p n[p] += 9 }
report "-" for p in procs where n[p] > 0 total "Name" p.name, "Address" hex(p.pc), "Size" hex(p.size),
    "Hexadecimal" hex(n[p]), "Calls" n[p]
END
instrument instrumented hexadecimal.atd deep
qemu instrumented >found
calls=$(awk -F'\t' '/^(leaf|down)/ { sum += $5 } END { print sum }' found)
printf 'total\t\t\t0x%x\t%d\n' "$calls" "$calls" >expected
check hexadecimal "[ '$calls' -gt 18 ] && grep '^total' found | diff expected -" found
