cp "$PROGRAM/prog" prog
"$ATOMC" -t empty prog -o prog.atom
"$ATOMC" -t branch prog.atom -o out
