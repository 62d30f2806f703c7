# any lines
# status 0
# leaves out
alpha-linux-gnu-gcc -O2 -static "$PROGRAM/prog.c" -o prog
"$ATOMC" -t empty prog -o out
