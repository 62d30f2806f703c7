# cut_short: runs of a campaign that a limit or a signal has ended are incomplete: each table marks and counts them, the
# campaign reports them, and its status is not 0.
alpha ends "$tests/data/ends.c" -O1
cat >steps.atd <<'END'
tool steps "instructions"
counter executed[procs]
for p in procs { for b in p.blocks { before b executed[p] += b.ninsts } }
report "steps.out" for p in procs "Procedure" p.name, "Steps" executed[p]
END
cat >bad.json <<'END'
{"campaign":"bad","programs":[{"path":"ends","inputs":[{"name":"fine","arguments":[]},{"name":"loop","arguments":["l"]},
    {"name":"status7","arguments":["f"]},{"name":"segv","arguments":["s"]}]}],
    "tools":[{"path":"steps.atd"}],"limits":{"seconds":3}}
END
campaign() { # WORD...: in found and said
    status=0
    timeout -k 5 300 "$ATOMC" campaign "$@" >found 2>said || status=$?
}
campaign run bad.json
check run/status "[ $status = 1 ]" said
check run/counts "grep -q '^bad: 4 runs: 3 finished (1 by a signal), 1 stopped\$' found &&
    grep -q '2 of 4 runs were stopped by a limit or a signal' said" found
check run/each "grep -q '^  finished: .*input=segv.*: signal 11\$' found && grep -q '^  stopped: .*input=loop.*: time\$' found &&
    ! grep -q 'input=status7' found" found
campaign run bad.json
check run/again "[ $status = 1 ] && grep -q '2 of 4 runs were stopped by a limit or a signal' said" said
campaign status bad.json --format=json
check run/json "[ \"\$(jq -c '[.runs[] | [.values.input, .cut_short]] |
    sort' found)\" = '[[\"fine\",false],[\"loop\",true],[\"segv\",true],[\"status7\",false]]' ]" found
"$ATOMC" campaign collect bad.json >log
campaign table bad.json --value=Steps --rows=input --columns=none
check table/text "[ \$(grep -c '[0-9-]\\*\$' found) = 2 ] && grep -q '^segv.*\\*\$' found && grep -q '^loop.*\\*\$' found &&
    grep -q '^\\* with 2 stopped runs' found &&
    grep -q '2 cells, marked with \\*, .* stopped 2 runs' said" found
campaign table bad.json --value=Steps --rows=input --columns=none --format=latex
check table/latex "[ \$(grep -c '[0-9-]\\*  *\\\\\\\\' found) = 2 ] && grep -q '^% \\* with 2 stopped runs' found" found
campaign table bad.json --value=Steps --rows=input --columns=none --format=csv
check table/csv "grep -q '^input,value,cut short\$' found && [ \$(grep -c ',value\$' found) = 2 ] &&
    grep -q '^segv,[0-9]*,value\$' found && grep -q '^fine,[0-9]*,\$' found" found
# All rows: what ended the run; nothing if it ended by itself.
campaign rows bad.json --format=csv
check rows/csv "[ \"\$(cut -d, -f 2,5,6 found | sort -u | tr '\n' ' ')\" = 'fine,0, input,cut short,ended by loop,1,time segv,1,SIGSEGV status7,0, ' ]" found
campaign rows bad.json --format=json
check rows/json "[ \"\$(jq -c '[.rows[] | [.input, .\"ended by\"]] | unique' found)\" = \
    '[[\"fine\",null],[\"loop\",\"time\"],[\"segv\",\"SIGSEGV\"],[\"status7\",null]]' ]" found
campaign table bad.json --value=Steps --rows=none --columns=none --over=sum --format=json
check table/json "jq -e '.cut_short == 2 and .cells[0][0][0].cut_short == 2' found" found
campaign table bad.json --value=Steps --rows=input --columns=none --summary=sum --format=csv
check table/summary "tail -1 found | grep -q ',value\$'" found
campaign table bad.json --value=exit_status --rows=input --columns=none
check table/exit-status "grep -q '2 cells have no value: one of their runs has no such row' said &&
    ! grep -q 'division by zero' said && grep -q '^status7 *7\$' found" said

# Without such runs, nothing is marked, and the status is 0.
jq '.campaign = "good" | .programs[0].inputs |= map(select(.name == "fine" or .name == "status7"))' bad.json >good.json
campaign run good.json
check good/run "[ $status = 0 ] && ! grep -q 'by themselves' said" said
"$ATOMC" campaign collect good.json >log
campaign table good.json --value=Steps --rows=input --columns=none --format=csv
check good/table "grep -q '^input,value\$' found && [ ! -s said ]" found
