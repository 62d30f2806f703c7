# lost_children: a child of fork that SIGKILL ends leaves no rows: who reads the rows of the others is told. Children that end by themselves
# or become another program leave rows, and none is said to be lost.
alpha plain "$tests/data/lost.c"
instrument instrumented -t prof plain
run_with() { # FOLDER KILLED
    ATOMC_FORMAT=rows ATOMC_OUT=$1/%p qemu instrumented "$2"
}
warned='left no rows: its counts are missing'
for killed in 0 1 3; do
    run_with out$killed $killed
    first=$(jq -s 'map(select(.children)) | .[0]' <(head -qn 1 out$killed/*/*.rows))
    check "$killed/children" "[ \$(jq '.children | length' <<<'$first') = $((killed + 2)) ] && [ \$(ls out$killed | wc -l) = 3 ]"
    "$ATOMC" merge out$killed >merged 2>said
    grep work merged >found
    # The parent's calls, and those of the two children that left rows.
    check "$killed/merge" "[ \$(wc -l <found) = 1 ]" merged
    "$ATOMC" export --format=html out$killed -o out$killed.html 2>log
done
"$ATOMC" merge out0 2>said >merged
check none "[ ! -s said ] && ! grep -q 'left no rows' out0.html" said
# Also of the child that becomes another program: another process writes its rows.
head -qn 1 out0/*/*.rows >heads
check parents "jq -es 'map(.process) as \$all | (map(select(.parent as \$one | \$all | index(\$one) | not)) | length == 1) and
    all(.process != .parent)' heads" heads
"$ATOMC" merge out1 2>said >merged
pid=$(jq -r '.children[]?' <(head -qn 1 out1/*/*.rows) | while read -r one; do [ -e out1/$one ] || echo $one; done)
parent=$(jq -r 'select(.children) | .process' <(head -qn 1 out1/*/*.rows))
check one "grep -q \"^atomc: warning: out1: process $pid, a child of process $parent, $warned\$\" said" said
check one/page "grep -q 'process $pid, a child of process $parent, $warned' out1.html"
"$ATOMC" merge out3 2>said >merged
check three "grep -q '^atomc: warning: out3: 3 child processes left no rows, such as process [0-9]*, a child of process [0-9]*: their counts are missing\$' said" said
# A job's record.
for killed in 0 1; do
    echo '{"program":{"path":"plain"},"tools":[{"name":"prof"}],"arguments":["'$killed'"]}' >job.json
    "$ATOMC" run --job=job.json --into=run$killed >log 2>&1
done
check job/none "jq -e '.missing == null and .state == \"finished\"' run0/run.json" run0/run.json
check job/one "jq -e '.missing | test(\"^process [0-9]+, a child of process [0-9]+, $warned\$\")' run1/run.json" run1/run.json
# A campaign: its table warns, and its rows mark the run.
cat >lost.json <<'END'
{"campaign":"lost","programs":[{"path":"plain","inputs":[{"name":"none","arguments":["0"]},{"name":"one","arguments":["1"]}]}],
    "tools":[{"name":"prof"}]}
END
"$ATOMC" campaign run lost.json >log 2>&1 && "$ATOMC" campaign collect lost.json >log 2>&1
"$ATOMC" campaign table lost.json --value=Instructions --rows=input --columns=none >table 2>said
check campaign/table "grep -q '^atomc: warning: 1 of 2 runs lack counts: child processes left no rows\$' said && [ \$(wc -l <said) = 1 ]" said
"$ATOMC" campaign rows lost.json >found 2>said
check campaign/rows "[ \"\$(cut -d, -f 2,5,6 found | sort -u | tr '\n' ' ')\" = 'input,cut short,ended by none,0, one,1, ' ] &&
    grep -q '1 of 2 runs lack counts' said" found
