# any lines
# status 0
# leaves out
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -o prog
"$ATOMC" -e 'counter n for s in syscalls { before s n++ } for p in procs where p.name like "mall*" { before p n++ } report "-" "n" n' prog -o out
