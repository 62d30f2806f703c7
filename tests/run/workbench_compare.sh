# workbench_compare: two runs over HTTP give the same as atomc diff for their folders, byte by byte: for one program,
# for two builds, for several processes, trees and stacks; pages and groups; invalid requests; the sources that are
# read; tables of 100,000 rows.
. "$tests/lib/workbench.sh"

# rows FILE REPORT DIGEST COLUMNS: standard input's rows as a file; COLUMNS: JSON
rows() {
    mkdir -p "$(dirname "$1")"
    { # the header, the rows, the end
        jq -n -c --arg report "$2" --arg digest "$3" --argjson columns "$4" --arg tool "$(basename "$1" | cut -d. -f1)" \
            --argjson process "${5:-7}" \
            '{rows: 1, tool: $tool, report: $report, process: $process, parent: 1,
                program: "made", program_digest: ($digest * 64),
                    parameters: {size: ($digest | length)}, places: [], columns: $columns}'
        tee count
        printf '{"end":true,"rows":%d}\n' "$(wc -l <count)"
    } >"$1"
}
places='[{"title":"PC","type":"address","role":"key","merge":"same"},
{"title":"Misses","type":"integer","role":"measure","merge":"sum","unit":"count"},
{"title":"Accesses","type":"integer","role":"measure","merge":"sum","unit":"count"},
{"title":"Rate","type":"real","role":"measure","merge":"ratio","of":[1,2],"unit":"percent"},
{"title":"Least","type":"integer","role":"measure","merge":"least"},
{"title":"Procedure","type":"text","role":"label","merge":"same"}]'
lines='[{"title":"File","type":"text","role":"key","merge":"same","attribute":"inst.file"},
{"title":"Line","type":"integer","role":"key","merge":"same","attribute":"inst.line"},
{"title":"Executed","type":"integer","role":"measure","merge":"sum","unit":"count"}]'
tree='[{"title":"Node","type":"integer","role":"node","merge":"same"},
{"title":"Parent","type":"integer","role":"parent","merge":"same"},
{"title":"Procedure","type":"text","role":"key","merge":"same"},
{"title":"Calls","type":"integer","role":"measure","merge":"sum","unit":"count"}]'
stacks='[{"title":"Stack","type":"text","role":"key","merge":"same","attribute":"$stack"},
{"title":"Calls","type":"integer","role":"measure","merge":"sum","unit":"count"}]'

# A row in PERCENT of all has another count; some are in one run only.
some() { # COUNT FACTOR SKIPPED
    awk -v count="$1" -v factor="$2" -v skipped="$3" 'BEGIN {
        for (i = 0; i < count; i++) if (i % 97 != skipped) {
            n = (i * 7919) % 10007; m = i % 5 ? n : n * factor
            printf "[\"0x%x\",%d,%d,%.2f,%d,\"procedure_%d\"]\n", 0x120000000 + 4 * i,
                m, m + 100, 100 * m / (m + 100), i % 7, i / 10 } }'
}
quoted='set<int, \"&amp;\"> \t;,'
for side in a b; do
    [ $side = a ] && factor=2 skipped=1 digest=1 || factor=3 skipped=2 digest=1
    some 300 $factor $skipped | rows "$side/1/places.1.rows" places.out $digest "$places" 1
    some 100 $((factor + 1)) $skipped | rows "$side/2/places.1.rows" places.out $digest "$places" 2
    printf '[1,0,"main",1]\n[2,1,"f",%d]\n[3,2,"%s",4]\n[4,1,"%s",3]\n' $factor "$quoted" "only_$side" |
        rows "$side/1/tree.2.rows" tree.out $digest "$tree" 1
    printf '["main;f;g",%d]\n["main;f",2]\n["main;only_%s;g",3]\n["%s",1]\n' $factor $side "$(printf %s "$quoted" | tr ';' ':')" |
        rows "$side/1/stacks.3.rows" stacks.out $digest "$stacks" 1
done
# Another build, with its sources in a folder; the folder of C is one that may not be read.
mkdir old new outside
printf 'one\ntwo\nthree\nfour\nfive\n' >old/x.c
printf 'none\none\ntwo\n3\nfour\nfive\n' >new/x.c
printf 'secret\none\ntwo\n3\nfour\nfive\n' >outside/x.c
printf '["%s",1,10]\n["%s",2,20]\n["%s",3,30]\n["%s",4,0]\n["%s",5,7]\n' $(yes "$PWD/old/x.c" | head -5) |
    rows d/lines.1.rows lines.out 1 "$lines"
for side in new outside; do
    printf '["%s",2,10]\n["%s",3,25]\n["%s",4,33]\n["%s",5,9]\n["%s",6,0]\n' $(yes "$PWD/$side/x.c" | head -5) |
        rows "$side.run/lines.1.rows" lines.out 2 "$lines"
done
some 50 2 1 | rows other/another.1.rows places.out 3 "$places"
some 20 2 1 | rows shape/places.1.rows places.out 1 "$(jq -c '.[4].title = "Most"' <<<"$places")"
# 100,000 rows, of which a half differs.
for side in e f; do
    awk -v side=$side \
        'BEGIN { for (i = 0; i < 100000; i++) printf "[\"0x%x\",%d,%d,1,0,\"procedure_%d\"]\n", 0x120000000 + 4 * i, i % 2 &&
        side == "f" ? i + i % 1000 : i, 100000 + i, i / 20 }' |
        rows $side/places.1.rows places.out 1 "$places"
done
mkdir project small large
"$ATOMC" collect a b d new.run outside.run other shape e f -o project/project.sqlite >log
workbench project "--allow=$PWD/old" "--allow=$PWD/new" "--allow=$PWD/small" "--allow=$PWD/large"
ask() { # PATH
    curl -s -g -b "$(cookie)" "$base/api/v1$1"
}
a=1 b=2 d=3 new=4 outside=5 other=6 shape=7 e=8 f=9

# ---- what atomc diff says ---------------------------------------------------------------------------------------------

# same_as_diff TEST A B RUN-A RUN-B [OPTION QUERY]: each table, as CSV; the totals, as JSON
same_as_diff() {
    local test=$1 number=0 option=${6:-} query=${7:-}
    "$ATOMC" diff --format=csv $option "$2" "$3" 2>log | awk -v RS= -v test="$test" '{ print >(test ".expected." NR - 1) }'
    while [ -s "$test.expected.$number" ]; do
        ask "/export/compare/table.csv?a=$4&b=$5&table=$number$query" | tr -d '\r' >found
        same "$test/csv$number" "$test.expected.$number" found
        number=$((number + 1))
    done
    ask "/compare?a=$4&b=$5" >about
    check "$test/tables" "[ $number -gt 0 ] && [ \$(jq '.tables | length' about) = $number ]" about
}
same_as_diff processes a b $a $b
same_as_diff none a b $a $b --threshold=0 '&threshold=0'
same_as_diff builds d new.run $d $new
same_as_diff lines d new.run $d $new --by=File,Line '&by=File,Line'
"$ATOMC" diff --format=json --threshold=5 a/1/stacks.3.rows b/1/stacks.3.rows >expected
number=$(ask "/compare?a=$a&b=$b" | jq '.tables[] | select(.tool == "stacks").number')
ask "/export/compare/table.json?a=$a&b=$b&table=$number&threshold=5" >found
same json expected found
"$ATOMC" diff --format=json --threshold=0 a b 2>log | jq -c 'select(.tool == "places")' >places.json
places_number=$(ask "/compare?a=$a&b=$b" | jq '.tables[] | select(.tool == "places").number')
path="/compare/rows?a=$a&b=$b&table=$places_number&threshold=0"
ask "$path&limit=10000" >whole
check rows/totals "[ \$(jq .equal whole) = \$(jq .equal places.json) ] &&
    [ \$(jq '.more + .less' whole) = \$(jq '.rows | length' places.json) ]" whole
jq -c '.rows[] | [.PC, ."Misses A", ."Misses B", ."Misses B-A", ."Rate A", ."Rate B"]' places.json >expected
jq -c '[.columns[].title] as $titles | .rows[] | [., $titles] | transpose | map({(.[1]): .[0]}) | add |
    [.PC, ."Misses A", ."Misses B", ."Misses B-A", ."Rate A", ."Rate B"]' whole >found
same rows/values expected found
# Ratios are those of the sums; least values are not subtracted.
check rows/ratio "jq -e '[.columns[].title] as \$t | (\$t | index(\"Rate B\")) as \$r | (\$t | index(\"Misses B\")) as \$m |
    (\$t | index(\"Accesses B\")) as \$n |
    [.rows[] | select(.[\$m] != null) | (.[\$r] - 100 * .[\$m] / .[\$n]) | fabs < 1e-9] | all and length > 50' whole"
check rows/least "jq -e '[.columns[].title] | index(\"Least A\") and (index(\"Least B-A\") | not)' whole"

# ---- groups and pages ---------------------------------------------------------------------------------------------------

for group in more less; do ask "$path&group=$group&limit=10000" | jq -c '.rows[]'; done >found
jq -c '.rows[]' whole >expected
same groups expected found
# Rows that are equal in the first count, but not in others, are neither more nor less.
for side in g h; do
    printf '["0x10",%s,7,1,0,"one"]\n["0x20",5,%s,1,0,"two"]\n["0x30",5,7,1,%s,"three"]\n' \
        $([ $side = g ] && echo 3 8 1 || echo 4 6 2) | rows $side/places.1.rows places.out 1 "$places"
done
"$ATOMC" diff --threshold=0 --format=json g h >found
check groups/other \
    "[ \"\$(jq -c '[.rows[] | [.State, .Procedure]]' found)\" = '[[\"more\",\"one\"],[\"other\",\"two\"],[\"other\",\"three\"]]' ]" found
for offset in 0 7 14; do ask "$path&offset=$offset&limit=7" | jq -c '.rows[]'; done >found
head -21 expected >page
same pages page found
check pages/behind "ask '$path&offset=100000' | jq -e '.rows == [] and .shown > 0'"
ask "$path&find=PROCEDURE_1%22&limit=10000" | jq .shown >found
check find/none "[ \$(cat found) = 0 ]"
ask "$path&find=Procedure_12&limit=10000" | jq -r '.rows[][] | strings | select(startswith("procedure"))' | sort -u >found
check find "[ \"\$(cat found)\" = procedure_12 ]" found
ask "/compare/rows?a=$d&b=$new&by=File,Line&threshold=0&group=covered" | jq -c '.rows[] | [.[2], .[3], .[4]]' >found
printf '[4,0,9]\n[4,null,33]\n' | sort >expected
same covered expected <(sort found)
ask "/compare/rows?a=$d&b=$new&by=File,Line&threshold=0&group=uncovered" | jq -c '.rows[] | [.[2], .[3], .[4]]' | sort >found
printf '[3,30,null]\n[5,7,0]\n' >expected
same uncovered expected found

# ---- trees ----------------------------------------------------------------------------------------------------------------

tree_of() { # TOOL: paths with the values of both
    number=$(ask "/compare?a=$a&b=$b" | jq ".tables[] | select(.tool == \"$1\").number")
    ask "/compare/tree?a=$a&b=$b&table=$number" >tree
    jq -r '. as $t | def path($n): if $n == 0 then "" else path($t.parent[$n - 1]) + "/" + $t.names[$t.name[$n - 1]] end;
        range(.name | length) | "\(path(. + 1)) \($t.metrics[0].a[.]) \($t.metrics[0].b[.])"' tree | sort
}
printf '%b' "/main 1 1\n/main/f 2 3\n/main/f/set<int, \"&amp;\"> \t;, 4 4\n/main/only_a 3 0\n/main/only_b 0 3\n" | sort >expected
tree_of tree >found
same tree expected found
printf '%b' \
    "/main 0 0\n/main/f 2 2\n/main/f/g 2 3\n/main/only_a 0 0\n/main/only_a/g 3 0\n/main/only_b 0 0\n/main/only_b/g 0 3\n/set<int, \"&amp:\"> \t:, 1 1\n" | sort >expected
tree_of stacks >found
same stacks expected found
check tree/order "jq -e '. as \$t | [range(.parent | length) | select(\$t.parent[.] > .)] | length == 0' tree"
check tree/again "tree_of stacks | cmp - found"

# ---- tables that cannot be compared, and wrong requests ---------------------------------------------------------------------

check same-run "ask '/compare/rows?a=$a&b=$a' | jq -e '.rows == [] and .equal > 0 and .below == 0'"
check same-run/request "ask '/compare?a=$a&b=$a' | jq -e '.differences == []'"
check other-tool "ask '/compare?a=$a&b=$other' |
    jq -e '.tables == [] and ([.alone[].why] | index(\"another was not run there\"))'"
check other-columns "ask '/compare?a=$a&b=$shape' |
    jq -e '[.alone[] | select(.tool == \"places\").why] | unique == [\"its columns are others there\"]'"
check parameters "ask '/compare?a=$d&b=$new' | jq -e '[.differences[] | select(.name == \"build\")] | length == 1'"
check previous "[ \$(ask '/compare?b=$b' | jq .a.id) = $a ]"
check previous/none "ask '/compare?b=$a' | jq -e '.error | startswith(\"there is no run before\")'"
# A source that may not be read: lines are compared by their numbers, and the answer has nothing of its text.
ask "/compare/rows?a=$d&b=$outside&by=File,Line&threshold=0" >found
check sources/outside "jq -e '.unread == 1' found && ! grep -q secret found" found
check sources/inside "ask '/compare/rows?a=$d&b=$new&by=File,Line' | jq -e '.unread == 0'"
while read -r expected path; do
    check "wrong/$path" "[ \$(status '$base/api/v1$path' -b \"\$(cookie)\") = $expected ]"
done <<TABLE
400 /compare
400 /compare?a=1
400 /compare?a=x&b=1
400 /compare?a=1&b=-2
400 /compare?a=1&b=2x
404 /compare?a=1&b=99
404 /compare?a=99&b=1
404 /compare/rows?a=1&b=2&table=77
404 /compare/rows?a=1&b=2&table=-1
404 /compare/rows?a=1&b=2&table=x
409 /compare/rows?a=1&b=$other
400 /compare/rows?a=1&b=2&by=Nothing
400 /compare/rows?a=1&b=2&by=c1);DROP+TABLE+run
400 /compare/rows?a=1&b=2&threshold=101
400 /compare/rows?a=1&b=2&threshold=x
400 /compare/rows?a=1&b=2&threshold=nan
400 /compare/rows?a=1&b=2&group=all
200 /compare/rows?a=1&b=2&limit=999999999&offset=-4
200 /compare/rows?a=1&b=2&find=%27;DROP+TABLE+run;--
409 /compare/tree?a=1&b=2&table=$places_number
404 /export/compare/table.exe?a=1&b=2
404 /export/compare/..%2ftable.csv?a=1&b=2
404 /compare/none
TABLE
check wrong/intact "[ \$(ask /runs | jq .total) = 9 ]"

# ---- two builds of a program that the project has ------------------------------------------------------------------------------

cat >moved.c <<'END'
#ifdef MORE
__attribute__((noinline)) long first(long n) { return n ^ 3 * n; }
#else
#define first(n) 0
#endif
__attribute__((noinline)) long same(long n) { long sum = 0; for (long i = 0; i < n; i++) sum += i & 3 ? i : sum; return sum; }
__attribute__((noinline)) long _ZN4area5sidesEl(long n) { return n > 1 ? _ZN4area5sidesEl(n - 1) + n : 1; }
int main(int count, char **words) { return same(2000 * count) + _ZN4area5sidesEl(7 * count) + first(count) == 1; }
END
for build in small large; do
    alpha $build/moved moved.c $([ $build = small ] || echo -DMORE)
    "$ATOMC" -e \
        'counter n[blocks] for b in blocks { before b n[b]++ }
            report "b" for b in blocks where n[b] > 0 "PC" b.pc, "Count" n[b], "Procedure" b.proc.name' \
        $build/moved -o $build/moved.atom
    ATOMC_FORMAT=rows ATOMC_OUT=$build.run "$QEMU" -seed 1 $build/moved.atom $([ $build = small ] || echo x)
    "$ATOMC" collect $build.run -o project/project.sqlite >log
done
same_as_diff moved small.run large.run 10 11
check moved/unknown "ask '/compare/rows?a=10&b=11' | jq -e '.same_procedures == null and .by == \"Procedure\"'"
for build in small large; do post /programs "{\"path\":\"$PWD/$build/moved\"}" >log; done
same_as_diff code small.run large.run 10 11 "--program=small/moved --program=large/moved"
ask "/compare/rows?a=10&b=11&find=same" >found
check code/same "jq -e '.same_procedures > 100 and .same_procedures < .procedures and .shown > 0 and all(.rows[]; .[1] |
    startswith(\"0x\"))' found" found

# Names are found in C++ form, and in the linker's form; in paths, too.
for find in 'area::Sides(' sidesEl; do
    ask "/compare/rows?a=10&b=11&threshold=0&find=$find" >found
    check "find/$find" "jq -e '([.columns[].title] | index(\"Procedure\")) as \$at | .shown > 0 and
        all(.rows[]; .[\$at] == \"_ZN4area5sidesEl\")' found" found
done
for side in p q; do
    printf '[1,0,"main",1]\n[2,1,"_ZN4area5sidesEl",%d]\n[3,2,"g",%d]\n[4,1,"h",%d]\n' \
        $([ $side = p ] && echo 2 3 4 || echo 5 6 7) | rows $side/tree.1.rows tree.out 1 "$tree"
done
"$ATOMC" collect p q -o project/project.sqlite >log
ask '/compare/rows?a=12&b=13&find=area::sides(long)' >found
check find/path "jq -e '.more == 3 and [.rows[][1]] == [\"main;_ZN4area5sidesEl\", \"main;_ZN4area5sidesEl;g\"]' found" found
check find/none-readable "ask '/compare/rows?a=12&b=13&find=area::nothing' | jq -e '.shown == 0'"

# ---- 100,000 rows --------------------------------------------------------------------

ask "/compare/rows?a=$e&b=$f&limit=1" >found
ask "/compare/rows?a=$e&b=$f&threshold=0" >found
begin=$(date +%s%N)
ask "/compare/rows?a=$e&b=$f&threshold=0" >found
took=$((($(date +%s%N) - begin) / 1000000))
check large "jq -e '.more == 50000 and .equal == 50000 and (.rows | length) == 100' found" found
echo "# 100,000 rows: $took ms"

# ---- the first comparison of two builds of which nobody has seen the lists of procedures: the same as the second ---------------

post /quit '{"stop":true}' >quit
ended
workbench fresh
for build in small large; do
    post /programs "{\"path\":\"$PWD/$build/moved\"}" >log
    post /runs "{\"program\":{\"path\":\"$PWD/$build/moved\"},\"tools\":[{\"name\":\"hiprof\"}]}" >posted
    check "fresh/$build" "[ \$(until_run \$(jq .id posted)) = finished ]" posted
done
ask '/compare/rows?a=1&b=2&threshold=0' >first
check fresh/same "jq -e '.same_procedures > 100' first && ask '/compare/rows?a=1&b=2&threshold=0' | cmp - first" first
