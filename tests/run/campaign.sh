# campaign: atomc campaign: the runs of a file, made one time, stopped and resumed, collected; and tables against the
# known counts of the program.
cp "$tests/data/turn.s" .
sed 's/lda     $16, 0(/lda     $16, 3(/; s/, 6, /, 8, /' turn.s >spin.s
sed 's/subq    $1, 1, /subq    $1, 0, /' turn.s >endless.s
for program in turn spin endless; do alpha $program $program.s -nostdlib; done
cat >steps.atd <<'END'
tool steps "instructions, several times"
param int times = 1 "for each" check times > 0 "it is a number of times"
param boolean unused = false "nothing"
counter executed[procs]
for p in procs { for b in p.blocks { before b executed[p] += b.ninsts * times } }
report "steps.out" for p in procs where executed[p] > 0 "Procedure" p.name, "Steps" executed[p]
END
cat >steps.json <<'END'
{"campaign": "all steps", "note": "2 programs, 3 inputs of one, 1 of the other",
 "programs": [{"path": "turn", "inputs": [{"name": "one", "arguments": []}, {"name": "two", "arguments": ["a"]}, {"name": "three", "arguments": ["a", "b"]}]},
              {"name": "spin it", "path": "spin", "inputs": [{"name": "one"}]}],
 "tools": [{"path": "steps.atd", "parameters": {"times": [1, 10], "unused": false}}], "repeat": 2,
 "except": [{"input": ["two", "three"], "times": 10}, {"repeat": 1, "times": 1}]}
END
campaign() { # WORD...
    timeout -k 5 1500 "$ATOMC" campaign "$@"
}

# ---- what is asked for --------------------------------------------------------------------------------------------------

# turn: 3 inputs, one of them twice with times=10; spin: 1 + 2.
prints plan campaign plan steps.json <<'END'
all steps: 8 runs, 0 exist, 8 to make
there was no run like these yet: their time is not known
END
campaign run steps.json --engine=list >list
check list "[ \$(wc -l <list) = 8 ] && [ \$(sort -u list | wc -l) = 8 ] && [ ! -e runs/x ]" list
sh -c "$(head -1 list)" && campaign plan steps.json >plan
check list/runs "grep -q '8 runs, 1 exist, 7 to make' plan &&
    grep -q 'with [0-9]* at once, and [0-9]* MB, by 1 earlier runs' plan" plan
stamp=$(stat -c %i runs/*/run.json)
campaign run steps.json --jobs=2 --events=3 >log 2>&1 3>events
check run/events "jq -s -e '.[0].event == \"begin\" and .[0].runs == 7 and .[-1].event == \"end\" and .[-1].ended == 7 and
    ([.[] | select(.state == \"finished\") | .run] | unique | length) == 7' events" events
check run "grep -q 'all steps: 8 runs: 8 finished' log && [ \$(ls runs | wc -l) = 8 ]" log

# A tool with an error: atomc's first message is recorded with the run.
printf 'tool broken "a"\ncounter n\nfor p in procs { before p m++ }\nreport "-" "N" n\n' >broken.atd
echo '{"campaign": "broken", "programs": [{"path": "turn"}], "tools": [{"path": "broken.atd"}]}' >broken.json
mkdir broken
campaign run broken.json --project=broken >log 2>&1 || true
campaign status broken.json --project=broken >status
check broken-tool "grep -q \"failed: .*: instrument: broken.atd:3: no counter is called 'm'\" log &&
    grep -q \"broken.atd:3: no counter\" status" log status
check run/once "[ \$(stat -c %i runs/*/run.json | grep -c -x $stamp) = 1 ]"
find runs -name run.json -printf '%i\n' | sort >before
campaign run steps.json >log 2>&1
find runs -name run.json -printf '%i\n' | sort >after
same run/again before after
jq -r '"\(.key).\(.repeat)"' runs/*/run.json | sort >keys
check keys "diff keys <(ls runs | sort) && [ \$(cut -d. -f1 keys | sort -u | wc -l) = 6 ]" keys

# ---- collected, and tables ------------------------------------------------------------------------------------------------

campaign collect steps.json >first && campaign collect steps.json >second
check collect "grep -q '8 runs, 8 of them new, 0 missing' first && grep -q '8 runs, 0 of them new' second" first
# turn: 2 before the loop, 2 * 64 * argc in it, 3 after it; spin: 256.
prints table campaign table steps.json --value=Steps --rows=program,input --columns=times --over=mean <<'END'
Steps, by times; mean over repeat
program  input    1    10
turn     one    133  1330
turn     two    261      
turn     three  389      
spin it  one    517  5170
END
prints table/formula campaign table steps.json --value='(Steps - 5) / times_64 + 0 * seconds' <<'END'
--value:1:15: error: no table of these runs has a column 'times_64' of numbers
  (Steps - 5) / times_64 + 0 * seconds
                ^~~~~~~~
END
prints table/csv campaign table steps.json --value='Steps / 2 + -0.5 * 2' --rows=input --columns=program --panels=times \
    --over=least --format=csv <<'END'
times,input,turn,spin it
1,one,65.5,257.5
1,two,129.5,
1,three,193.5,
10,one,664,2584
10,two,,
10,three,,
END
prints table/summary campaign table steps.json --value=Steps --rows=input --columns=times --over=sum \
    --summary=geometric --format=latex <<'END'
% Steps, by times; sum over program, repeat
\begin{tabular}{lrr}
\hline
input & 1 & 10 \\
\hline
one & 650 & 13000 \\
two & 261 &  \\
three & 389 &  \\
\hline
geometric mean & 404.11 & 13000 \\
\hline
\end{tabular}
END
campaign table steps.json --value='1 / (Steps - 133)' --rows=input --columns=program --over=mean >found 2>log
check table/undefined "grep -q '1 cells have no value' log && grep -q 'one *- ' found" found
check table/json-text "'$ATOMC' campaign table steps.json --value=Steps --rows=program,input --columns=times --format=json |
    jq -r '.cells[][][].text' | tr '\n' ' ' | grep -q -x '133 1330 261  389  517 5170 '"
# ---- rows: a line for each run and row, with the parameters that distinguish its run ---------------------------------------

# Process numbers are 2 in a sandbox, and any elsewhere.
rows_without_process() {
    campaign rows steps.json | awk -F, -v OFS=, 'NR > 1 && $9 ~ /^[0-9]+$/ { $9 = "N" } { print }'
}
prints rows rows_without_process <<'END'
program,input,tool,repeat,times,unused,cut short,ended by,process,Procedure,Steps,p
turn,one,steps,0,1,false,0,,N,_start,133,0x1200000d4
turn,one,steps,0,10,false,0,,N,_start,1330,0x1200000d4
turn,one,steps,1,10,false,0,,N,_start,1330,0x1200000d4
turn,two,steps,0,1,false,0,,N,_start,261,0x1200000d4
turn,three,steps,0,1,false,0,,N,_start,389,0x1200000d4
spin it,one,steps,0,1,false,0,,N,_start,517,0x1200000d4
spin it,one,steps,0,10,false,0,,N,_start,5170,0x1200000d4
spin it,one,steps,1,10,false,0,,N,_start,5170,0x1200000d4
END
campaign rows steps.json --format=json >rows.json
check rows/json "[ \"\$(jq -r '.rows[] |
    [.program, .input, .tool, .repeat, .times, .unused, .\"cut short\", .\"ended by\", .process, .Procedure, .Steps, .p] | @csv' rows.json |
    tr -d '\"')\" = \"\$(campaign rows steps.json | tail -n +2)\" ] && jq -e '.rows[0].times == 1' rows.json" rows.json
# Tables of one report with different columns: a run without a column has no value there.
sed 's/"Steps" executed/"More" p.pc, "Steps" executed/' steps.atd >more.atd
jq '.campaign = "both" | .programs |= .[1:] | .tools += [{"path": "more.atd", "as": "more"}] |
    del(.repeat, .except)' steps.json >both.json
campaign run both.json >log 2>&1 && campaign collect both.json >log
campaign rows both.json -o both.csv
check rows/different-columns "head -1 both.csv | grep -q 'Procedure,Steps,p,More\$' && [ \$(wc -l <both.csv) = 4 ] &&
    [ \$(grep -c ',,0x[0-9a-f]*\$' both.csv) = 1 ] && [ \$(grep -c ',0x[0-9a-f]*,\$' both.csv) = 2 ]" both.csv
jq '.campaign = "two" | .programs |= .[1:] | del(.repeat) | .tools[0].parameters = {} | .tools += [{"name": "cache"}] |
    del(.except)' steps.json >two.json
campaign run two.json >log 2>&1 && campaign collect two.json >log
prints rows/several campaign rows two.json <<'END'
atomc: error: the runs have several reports: rows are of one
hint: --report=steps.out, --report=cache.out
END
campaign rows two.json --report=cache.out >found 2>log
check rows/report "[ \$(wc -l <found) = 2 ] && grep -q ': warning: 1 of 2 runs have no rows here' log" found log
prints rows/no-report campaign rows two.json --report=cache --format=csv <<'END'
atomc: error: no collected run has a report 'cache'
hint: --report=steps.out, --report=cache.out
END
prints rows/filtered campaign rows two.json --where=Cache=L1 <<'END'
atomc: error: rows are all rows of a report: --value, --where and the like are of table
END
prints rows/form campaign rows steps.json --format=latex <<'END'
atomc: error: --format=latex: there is no such format
hint: csv, json or parquet
END
check rows/parquet "campaign rows both.json --format=parquet -o both.parquet &&
    campaign rows both.json --format=json -o both.json.rows &&
    node '$tests/lib/parquet.mjs' both.parquet >found && jq -c '.rows[]' both.json.rows >expected && diff expected found"

campaign columns steps.json >found
check columns "head -n 1 found | grep -q -x 'steps steps.out: Steps' && grep -q -x peak_kb found &&
    ! grep -q Procedure found" found
# A program that was built again: its runs are not made, and so no title is known.
jq '.programs |= .[:1] | del(.except)' steps.json >again.json
cp turn kept
printf ' ' >>turn
prints table/built-again campaign table again.json --value=Steps <<'END'
atomc: error: 12 of 12 runs are not made
hint: a program that was built again has runs of its own: make them
END
mv kept turn
check columns/json "[ \"\$('$ATOMC' campaign columns steps.json --format=json | jq -r '.columns[0].column')\" = Steps ]"
check table/json "[ \$('$ATOMC' campaign table steps.json --value=Steps --format=json | jq '[.cells[][][] | .runs] | add') = 8 ]"
sqlite=$(jq -r .campaign <(campaign status steps.json --format=json))
check status/json "[ '$sqlite' = 'all steps' ] &&
    [ \$('$ATOMC' campaign status steps.json --format=json | jq '[.runs[] | select(.state == \"finished\")] | length') = 8 ]"

# ---- failures, stop, resume -------------------------------------------------------------------------------------------------

sed 's/"all steps"/"ends"/; s/"path": "turn", "inputs": .*}]},/"path": "endless"},{"path": "turn"},/; s/"repeat": 2/"limits": {"seconds": 200}/; s/"except": .*}/"options": ["--strict"]}/' steps.json >ends.json
campaign run ends.json --jobs=2 >log 2>&1 &
runner=$!
while :; do
    [ -z "$(find runs -name '*.rows' -path '*.tmp/*')$(grep -l -s '"phase":"run"' runs/*.tmp/log.jsonl)" ] || break; sleep 0.1
done
campaign run ends.json >twice 2>&1 || true
check once "grep -q 'its runs are being made already' twice" twice
campaign status ends.json >found
check status "grep -q 'ends: 6 runs: .*under way' found && grep -q 'under way, engine local' found" found
campaign stop ends.json >found 2>&1
check stop "grep -q stopped found && ! kill -0 $runner" found
wait $runner || true
check stop/processes "! grep -l -z -a \"^[-]-into=$scratch/runs\" /proc/[0-9]*/cmdline 2>/dev/null | grep ."
# A job that died leaves a folder; one that fails is made again by resume only.
sed -i 's/"path": "endless"/"path": "spin", "name": "other"/' ends.json
dead=$(campaign status ends.json --format=json | jq -r '[.runs[] | select(.state == "missing")][0].run')
mkdir "runs/$dead.0badcafe.tmp"
campaign resume ends.json >log 2>&1
check resume "grep -q '1 unfinished runs of dead jobs removed' log && grep -q '6 runs: 6 finished' log &&
    [ -z \"\$(ls runs | grep tmp)\" ]" log
sed 's/"ends"/"fails"/; s/--strict/--only=nothing_of_this_name/' ends.json >fails.json
check failed "! '$ATOMC' campaign run fails.json"

# ---- files with errors ---------------------------------------------------------------------------------------------------

changed() { # SED-COMMAND
    sed "$1" steps.json >wrong.json
    campaign plan wrong.json
}
. "$tests/lib/stanzas.sh"
stanzas "$tests/stanzas/campaign.txt"
# Without a file, and as JSON: the requests of the workbench while a campaign is written.
check draft "'$ATOMC' campaign plan - --format=json <steps.json | jq -e '.runs == 8 and .whole == 8 and .diagnostics == []'"
sed 's/\[1, 10\]/[1, "10"]/' steps.json | campaign plan - --format=json >found || true
check draft/errors "jq -e '.diagnostics | length == 1 and .[0].line == 4 and .[0].column == 62' found" found
sed 's/\[1, 10\]/[1, 0, -3]/' steps.json >wrong.json
campaign check wrong.json >log 2>&1 || true
check check/place "grep -q \"^wrong.json:4:62: error: parameter 'times' cannot be 0: it is a number of times\" log &&
    grep -q '^wrong.json:4:65: ' log && [ \$(grep -c error: log) = 2 ]" log

# Files that are broken at any place: an error or a plan, and never a crash.
program=${ATOMC_CHECKED:-$ATOMC}
awk -v count="$(pick 12 2000)" 'BEGIN { srand(7) } { text = text $0 "\n" } END {
    bytes = "{}[]:,\"\\ /-0x9eE.tn\001\377"
    for (i = 1; i <= count; i++) {
        at = int(rand() * length(text)) + 1
        with = substr(bytes, int(rand() * length(bytes)) + 1, 1)
        if (i % 3 == 0) new = substr(text, 1, at)
        else if (i % 3 == 1) new = substr(text, 1, at - 1) with substr(text, at + 1)
        else new = substr(text, 1, at - 1) substr(text, at + int(rand() * 40))
        printf "%s", new >("mutant." i ".json")
        close("mutant." i ".json")
    } }' steps.json
crashed=
for mutant in mutant.*.json; do
    ASAN_OPTIONS=exitcode=99 timeout 1500 "$program" campaign plan "$mutant" >log 2>&1 && status=0 || status=$?
    { [ $status -le 1 ] && ! grep -a -q -e 'runtime error' -e Sanitizer log; } || crashed="$crashed $mutant:$status"
done
check mutants "[ -z '$crashed' ]" log
