# any lines
# says t.atd:4:44: error: procedure 'main' at 0x[0-9a-f]* is replaced twice
echo 'tool t
analysis "t.c"
for p in procs where p.name == "main"    { replace p with other }
for p in procs where p.name like "ma*in" { replace p with other }' >t.atd
echo 'int other(int argc, char **argv) { return argc + !argv; }' >t.c
"$ATOMC" t.atd "$PROGRAM/prog" -o out
