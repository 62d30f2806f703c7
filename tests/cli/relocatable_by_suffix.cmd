# any lines
# says prog.o
cp "$PROGRAM/prog.o" .
"$ATOMC" -t branch prog.o -o out
