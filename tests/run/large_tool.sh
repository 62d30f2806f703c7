# large_tool: a tool of 1,000 rules and 20,000 lines compiles in less than a second of CPU time; time of other processes
# is excluded.
"$top/tests/bench/large_tool.sh" 1000 >large.atd
check size "[ \$(wc -l <large.atd) -ge 20000 ]"
TIMEFORMAT='%U %S'
{ time "$ATOMC" --check --dump=plan large.atd >plan 2>errors; } 2>time || true
check plan "[ \$(grep -c '^action ' plan) = 3000 ] && [ \$(grep -c '^report ' plan) = 1000 ]" errors
check time "awk '{ exit \$1 + \$2 >= 1 }' time" time
