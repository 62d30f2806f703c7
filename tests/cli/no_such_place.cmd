# any lines
# status 0
# A place that there is not: the loop around an outermost one. Where it is not asked for, nothing is wrong.
cp "$PROGRAM/prog" prog; printf 'tool t\nset a = loop l where l.depth > 1 and l.parent.depth > 0\nfor l in loops where l in a or l.parent.pc > 0 { after program call Finish() }\n' >t.atd
"$ATOMC" --check t.atd prog 2>&1 | sed 's/0x[0-9a-f]*/0x.../'
