# any lines
cp "$PROGRAM/prog.o" prog
"$ATOMC" -t branch prog -o out
