# Registers that calls, returns and data are reached by cannot be set.
# any lines
# leaves t.atd
printf 'tool t "x" changes\nfor i in insts where i.class == condbr { before i set $(sp) = 1 }\n' >t.atd
"$ATOMC" --check t.atd "$PROGRAM/prog"
