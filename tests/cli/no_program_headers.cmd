cp "$PROGRAM/prog" prog
patch prog 56 00 00
"$ATOMC" -t branch prog -o out
