# Registers that calls, returns and data are reached by cannot be set.
# any lines
# says ^t.atd:2:55: error: at 0x120000[0-9a-f]*: this register cannot be set$
# says ^hint: r0 to r25 and f0 to f30 can be$
# leaves t.atd
printf 'tool t "x" changes\nfor i in insts where i.class == condbr { before i set $(sp) = 1 }\n' >t.atd
"$ATOMC" --check t.atd "$PROGRAM/prog"
