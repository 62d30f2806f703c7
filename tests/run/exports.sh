# exports: files of atomc export for people without atomc: a page (html), a profile for pprof, a trace for Perfetto. Each is
# opened by its reader: go tool pprof; the page by a browser in tests/web/share.mjs. Others: tests/run/results.sh.

cp "$top/docs/examples/questions.c" .
alpha questions "$PWD/questions.c" -g -O1 -fno-inline
instrument tree -t hiprof questions
instrument lines -t cache -D lines=true questions
for one in tree lines; do
    ATOMC_FORMAT=rows ATOMC_OUT=$one.rows qemu "$one" >/dev/null
done
rows=$(echo tree.rows/hiprof.1.rows) # by procedure
nodes=$(echo tree.rows/hiprof.2.rows)
jq -e 'select(.columns) | .columns | any(.role == "node")' "$nodes" >/dev/null ||
    { rows=tree.rows/hiprof.2.rows nodes=tree.rows/hiprof.1.rows; }
sum=$(jq -s '(.[0].columns | map(.title) | index("Instructions")) as $at | [.[] | arrays | .[$at]] | add' "$nodes")

# ---- pprof ----------------------------------------------------------------------------------------------------------------

"$ATOMC" export --format=pprof tree.rows -o tree.pb.gz
"$ATOMC" export --format=pprof lines.rows/cache.2.rows -o lines.pb.gz 2>log ||
    "$ATOMC" export --format=pprof lines.rows/cache.1.rows -o lines.pb.gz
check pprof/compressed "gzip -t tree.pb.gz && gzip -t lines.pb.gz"
if command -v go >log; then
    go tool pprof -top -nodefraction=0 -sample_index=Instructions tree.pb.gz >top 2>&1
    check pprof/sum "grep -q 'accounting for $sum, 100% of $sum total' top" top
    # The own and inclusive counts of each procedure are those of the table.
    jq -r -s '(.[0].columns | map(.title)) as $t |
        [.[] | arrays | {name: .[$t | index("Procedure")], count: .[$t | index("Instructions")]}] |
        group_by(.name)[] | {name: .[0].name, count: map(.count) | add} | select(.count > 0) |
            "\(.name) \(.count)"' "$rows" | sort >expected
    awk 'NF == 6 && $1 ~ /^[0-9]+$/ && $1 > 0 { print $6, $1 }' top | sort >found
    check pprof/procedures "[ \$(wc -l <expected) -gt 20 ] && diff expected found"
    go tool pprof -peek '^by_columns$' tree.pb.gz >peek 2>&1
    check pprof/callers "grep -q '| *main\$' peek" peek
    go tool pprof -top -lines -nodefraction=0 -sample_index=Misses lines.pb.gz >top 2>&1
    jq -r -s '(.[0].columns | map(.title)) as $t | [.[] | arrays] | .[0] |
        "\(.[$t | index("Misses")])"' lines.rows/cache.2.rows >first
    check pprof/lines "grep -q '^ *$(cat first) .* by_columns .*questions.c:' top" top
else
    skipped pprof "go is not installed: scripts/setup.sh"
fi

# ---- trace ----------------------------------------------------------------------------------------------------------------

"$ATOMC" export --format=trace tree.rows -o trace.json
# An event is inside of its caller's, and events do not overlap: on each process' axis, they form a tree whose own counts are
# the sum.
jq -r '.traceEvents[] | select(.ph == "X" and .pid == 1) | [.ts, .dur, .args.own] | @tsv' trace.json >events
check trace/sum "[ \$(awk '{ sum += \$3 } END { printf \"%.0f\", sum }' events) = $sum ]" events
check trace/names "jq -e '[.traceEvents[] | select(.ph == \"M\" and .name == \"process_name\") | .args.name] |
    index(\"Instructions\") != null' trace.json"
awk '{
    while (depth > 0 && $1 >= end[depth]) depth--
    if (depth > 0 && $1 + $2 > end[depth]) print "overlaps", $0
    end[++depth] = $1 + $2
}' events >wrong
check trace/nested "[ \$(wc -l <events) -gt 50 ] && [ ! -s wrong ]" wrong

# ---- html: the page has all that it shows, and asks for nothing ---------------------------------------------------------------

"$ATOMC" export --format=html tree.rows -o tree.html
"$ATOMC" export --format=html lines.rows -o lines.html
data() { # FILE: the page's data
    sed -n '/<script type="application\/json" id="data">/,/<\/script>/p' "$1" | sed '1d;$d'
}
data tree.html >tree.json
check html/data "jq -e '.program == \"questions\" and (.tables | length) == 1 and (.trees | length) == 1' tree.json"
check html/tree "[ \$(jq '.trees[0].metrics[] | select(.title == \"Instructions\") | .values | add' tree.json) = $sum ]"
check html/rows "[ \$(data lines.html | jq '[.tables[] | .rows | length] | add') = \
    \$(cat lines.rows/*.rows | jq -s '[.[] | arrays] | length') ]"
check html/source "data lines.html | jq -j '.sources[0].text' | cmp - questions.c"
check html/alone "! grep -E -i '(src|href) *=|url\(|@import|https?:' tree.html lines.html &&
    grep -q \"default-src 'none'\" tree.html"
# A source outside of the allowed folders, or one that is no source by its name, is not in it.
mkdir other
"$ATOMC" export --format=html --allow=other lines.rows -o other.html
check html/not_allowed "[ \$(data other.html | jq '.sources | length') = 0 ] && ! grep -q product other.html"
sed 's|questions\.c|secret.key|g' lines.rows/cache.2.rows >named.rows
cp questions.c secret.key
"$ATOMC" export --format=html named.rows -o named.html
check html/no_source "[ \$(data named.html | jq '.sources | length') = 0 ]"
ln -s /etc/passwd linked.c
sed "s|$PWD/questions\.c|$PWD/linked.c|g" lines.rows/cache.2.rows >linked.rows
"$ATOMC" export --format=html linked.rows -o linked.html
check html/link "grep -q linked.c linked.rows && [ \$(data linked.html | jq '.sources | length') = 0 ]"
# Texts cannot end the element that has the data.
sed 's|"by_columns"|"</script><script>alert(1)</script>"|g' lines.rows/cache.2.rows >hostile.rows
"$ATOMC" export --format=html hostile.rows -o hostile.html
check html/hostile "[ \$(grep -c '</script>' hostile.html) = 2 ] && data hostile.html | jq -e '[.tables[0].rows[][0]] |
    index(\"</script><script>alert(1)</script>\") != null'"

# ---- Parquet: more rows than a group has, values that are missing, all kinds of texts and numbers; read by hyparquet ---------
awk 'BEGIN {
    print "{\"rows\": 1, \"tool\": \"many\", \"report\": \"many.out\", \"process\": 1, \"parent\": 0, \"program\": \"p\", \"places\": [], \"columns\": [" \
        "{\"title\": \"Place\", \"type\": \"address\", \"role\": \"key\", \"merge\": \"same\"}," \
        "{\"title\": \"Name\", \"type\": \"text\", \"role\": \"label\", \"merge\": \"same\"}," \
        "{\"title\": \"Count\", \"type\": \"integer\", \"role\": \"measure\", \"merge\": \"sum\"}," \
        "{\"title\": \"Count\", \"type\": \"integer\", \"role\": \"measure\", \"merge\": \"greatest\"}]}"
    for (i = 1; i <= 70000; i++)
        printf "[\"0x%s%05x\",%s,%d,%d]\n", i % 2 ? "ffffffff000" : "1200", i, i % 5 ? "\"größe " i % 300 "\"" : "null", (i % 7 - 3) * i, i % 11
    print "{\"end\":true,\"rows\":70000}"
}' >many.rows
"$ATOMC" merge many.rows --format=parquet -o many.parquet && node "$tests/lib/parquet.mjs" many.parquet >found
"$ATOMC" merge many.rows --format=json | jq -c '.rows[]' >expected
check parquet "[ \$(wc -l <expected) = 70000 ] && grep -q '\"Name\":null' expected && grep -q 0xffffffff expected &&
    cmp expected found" found
check parquet/compressed "[ \$(stat -c %s many.parquet) -lt \$((\$(stat -c %s expected) / 4)) ]"
"$ATOMC" merge many.rows -o ending.parquet
same parquet/ending many.parquet ending.parquet
prints parquet/diff "$ATOMC" diff many.rows many.rows --format=parquet <<'END'
atomc: error: --format=parquet: there is no such format
hint: atomc diff --help
END
