# says prog.o
# any lines
cp "$PROGRAM/prog.o" .
"$ATOMC" -t branch prog.o -o out
