# any lines
# status 0
# leaves out
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -o prog; printf 'tool t\ncounter n\nfor p in procs where p.name == "fopencookie" { before p n++ }\nreport "-" "n" n' >t.atd
"$ATOMC" t.atd prog -o out
