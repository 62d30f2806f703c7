# large_tool: a tool of 1,000 rules and 20,000 lines compiles; the work grows as its length does: instructions, as valgrind counts
# them. (0.6 million a rule; a second look at each rule for each other one would be seen.)
"$top/tests/bench/large_tool.sh" 1000 >large.atd
check size "[ \$(wc -l <large.atd) -ge 20000 ]"
"$ATOMC" --check --dump=plan large.atd >plan 2>errors
check plan "[ \$(grep -c '^action ' plan) = 3000 ] && [ \$(grep -c '^report ' plan) = 1000 ]" errors
instructions_of() { # RULES
    "$top/tests/bench/large_tool.sh" "$1" >some.atd
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$ATOMC" --check --dump=plan some.atd 2>&1 >/dev/null |
        sed -n 's/.*Collected : //p'
}
few=$(instructions_of 200) more=$(instructions_of 400)
echo "$few $more" >instructions
check grows "[ $few -gt 1000000 ] && [ $few -lt 250000000 ] && [ $((10 * more)) -lt $((23 * few)) ]" instructions
