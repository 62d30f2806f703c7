# Instructions that no tool can skip, and those that one can.
# any lines
# status 0
# leaves t.atd
for class in 'i.class == return' 'i.class == uncondbr' 'i.writes(sp)' 'i.mnemonic == "ldl_l"' 'i.mnemonic == "stl_c"' 'i.is_call' 'i.can_skip'; do printf 'tool t "x" changes\nfor i in insts where %s { before i skip }\n' "$class" >t.atd; "$ATOMC" --check t.atd "$STATIC/prog" 2>&1 | grep -e error -e hint | sed 's/0x[0-9a-f]*/ADDRESS/'; done; "$ATOMC" --check t.atd "$STATIC/prog"
