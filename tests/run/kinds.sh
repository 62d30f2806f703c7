# kinds: rows that are kinds and not parts of a whole, such as the levels of caches, are not added: by tables of
# campaigns, totals of tables, the list of runs; a condition selects among them. The same for numbers that include parts
# of other rows' numbers.
. "$tests/lib/workbench.sh"
# Linked dynamically, and instrumented alone: nothing here is about the C library.
shared matrix "$tests/data/matrix.c" -g -O1
alpha whole "$tests/data/matrix.c" -g -O1 # for tools that need the library's procedures
cat >levels.json <<'END'
{"campaign":"l2","programs":[{"path":"matrix"}],
    "tools":[{"name":"cache","parameters":{"size":[8192],"size2":[0,65536]}},{"name":"gprof"},{"name":"values"}]}
END
timeout -k 5 400 "$ATOMC" campaign run levels.json >log 2>&1
"$ATOMC" campaign collect levels.json >>log 2>&1
table() { # WORD...
    status=0
    timeout -k 5 100 "$ATOMC" campaign table levels.json --format=json "$@" >table 2>said || status=$?
}
# The tools' own output, by the parameter.
level() { # SIZE2 CACHE COLUMN: of the rows of that run
    for folder in runs/*/; do
        jq -e --argjson size "$1" 'any(.request.tools[]; .parameters.size2? == $size)' "$folder/run.json" \
            >/dev/null 2>&1 || continue
        jq -s -r --arg cache "$2" --arg column "$3" '(.[0].columns | map(.title)) as $t | .[1:][] |
            select(type == "array" and .[$t | index("Cache")] == $cache) | .[$t | index($column)]' "$folder"/out/*/cache.1.rows
    done
}
table --value=Misses
check campaign/refused "[ $status = 1 ] && grep -q \"are of different kinds, given by 'Cache'\" said &&
    grep -q -F -e \"--where='Cache=L1' or --where='Cache=L2'\" said" said
table --value='100 * Misses / References'
check campaign/refused-formula "[ $status = 1 ] && grep -q 'cannot be added' said" said
table --value="Misses %"
check campaign/refused-rate "[ $status = 1 ] && grep -q 'cannot be added' said" said
for cache in L1 L2; do
    table --value='100 * Misses / References' --where="Cache = $cache"
    expected=$(awk "BEGIN { printf \"%.6f\", 100 * $(level 65536 $cache Misses) / $(level 65536 $cache References) }")
    check campaign/$cache "[ $status = 0 ] && jq -r '[.. | .value? | numbers] | map(. * 1000000 | round) | .[]' table |
        grep -q -x \$(awk 'BEGIN { printf \"%.0f\", $expected * 1000000 }')" table
    table --value=Misses --where=cache=$cache
    check campaign/$cache-misses "jq -r '[.. | .value? | numbers + 0] | .[]' table |
        grep -q -x '$(level 65536 $cache Misses)'" table
done
# The run without a second level has no value for it, rather than 0.
check campaign/no-level "! jq -r '[.. | .value? | numbers + 0] | .[]' table | grep -q -x 0" table
table --value=Misses --where=Cache=L3
check campaign/no-row "[ $status = 1 ] && grep -q \"no row has the Cache 'L3'\" said" said
table --value=Misses --where=Cache
check campaign/no-condition "[ $status = 1 ] && grep -q 'COLUMN=VALUE' said" said
table --value=Children
check campaign/inclusive "[ $status = 1 ] && grep -q \"'Children' of gprof gprof.out cannot be added\" said" said
table --value=Children --where=Procedure=main --rows=tool
check campaign/one-row "[ $status = 0 ] && jq -e '[.. | .value? | numbers]  as \$v | (\$v |
    length) == 1 and \$v[0] > 0' table" said
table --value=Executed --report=values.out
check campaign/inclusive-values "[ $status = 1 ] && grep -q 'cannot be added' said" said
table --value=Times --report=values.out --rows=tool
check campaign/parts "[ $status = 0 ] && jq -e '[.. | .value? | numbers]  as \$v | (\$v | length) == 1 and \$v[0] > 0' table" said

# ---- the workbench ----------------------------------------------------------------------------------------------------------
mkdir project
"$ATOMC" collect runs/* -o project/project.sqlite >log
workbench project
ask() { # PATH
    curl -s -g -b "$(cookie)" "$base/api/v1$1"
}
ask '/runs?limit=20' >list
for run in $(jq '.runs[].id' list); do
    ask "/runs/$run/tables" >tables
    number=$(jq '.tables[] | select(.report == "cache.out") | .id' tables)
    ask "/runs/figures?runs=$run" >figures
    [ -n "$number" ] || continue
    ask "/tables/$number/rows" >rows
    levels=$(jq '.rows | length' rows)
    check workbench/$levels-kinds "[ \$(jq -c '.columns[0].unit' <(jq '.tables[] |
        select(.report == \"cache.out\")' tables)) = '\"kind\"' ]" tables
    if [ "$levels" = 1 ]; then
        check workbench/one "jq -e '.runs[].main.value > 0' figures && jq -e '.totals[1] > 0 and .totals[3] > 0' rows" rows
    else
        check workbench/two "jq -e '.runs[].main == null' figures && jq -e '.totals | all(. == null)' rows" rows
    fi
done
check workbench/runs "[ \$(jq '.runs | length' list) = 4 ]" list

# ---- the tools: each column that says it, and nothing else ---------------------------------------------------------------------
cat >expected <<'END'
cache.out Cache kind
dtb.out Cache kind
gprof.out Children $inclusive
gprof.out.calls Total $inclusive
hiprof.out Total $inclusive
icache.out Cache kind
itb.out Cache kind
values.out Different $inclusive
values.out Executed $inclusive
END
for tool in $("$ATOMC" --list | awk '!/\// { print $1 }'); do
    mkdir -p all/$tool
    "$ATOMC" --objects=main -t $tool matrix -o tool.atom >>log 2>&1 || "$ATOMC" -t $tool whole -o tool.atom >>log 2>&1
    (cd all/$tool && ATOMC_FORMAT=rows qemu -L /usr/alpha-linux-gnu ../../tool.atom r >/dev/null 2>&1) || true
done
for file in all/*/*.rows; do
    head -n 1 "$file"
done | jq -r '.report as $r | .columns[] | select(.unit == "kind" or .attribute == "$inclusive") |
    "\($r) \(.title) \(if .unit == "kind" then .unit else .attribute end)"' | sort -u >found
same tools expected found

# ---- a column that is added up contains no part twice: the row that has all of another column's sum would ------------------------
for file in all/*/*.rows; do
    jq -r -s '.[0] as $head | [.[] | arrays] as $rows | $head.columns | to_entries |
        map(select(.value.merge == "sum" and .value.type == "integer")) as $sums | $sums[] as $one | $sums[] as $all |
        select($one.key != $all.key and $one.value.attribute != "$inclusive") |
        ([$rows[][$one.key]] | map(numbers)) as $values | ([$rows[][$all.key]] | map(numbers) | add) as $whole |
        select(($values | length) > 2 and $whole > 1000 and ($values | max) == $whole and ($values | add) > $whole) |
        "\($head.report): \($one.value.title) of a row is all \($all.value.title)"' "$file"
done >twice
check no-part-twice "[ ! -s twice ]" twice
