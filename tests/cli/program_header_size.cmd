cp "$PROGRAM/prog" prog
patch prog 54 07 00
"$ATOMC" -t branch prog -o out
