cp "$PROGRAM/prog" prog
"$ATOMC" missing.atd prog -o out
