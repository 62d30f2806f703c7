# any lines
# status 0
# The size that $memory gets from a place is none there; how what is right is printed.
cp "$PROGRAM/prog" prog; printf 'tool t\ncounter c\nfor i in insts { before i when i.pc %% 4 == 0 c += $memory($sp, i.size) }\nreport "-" "N" c\n' >wrong.atd
printf 'tool t\ncounter c\nfor i in insts where i.proc.name == "main" and i.is_store { before i when $memory($addr, i.size) == 1 c += -$memory($sp + i.size, 8) }\nreport "-" "N" c\n' >right.atd
{ "$ATOMC" --check wrong.atd prog; "$ATOMC" --dump=sites right.atd prog | head -n 1; } 2>&1 | sed 's/0x[0-9a-f]*/0x.../; s/main+[0-9a-fx.]*/main/'
