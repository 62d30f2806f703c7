alpha-linux-gnu-gcc "$PROGRAM/prog.c" -no-pie -o prog
"$ATOMC" -t branch prog -o out
