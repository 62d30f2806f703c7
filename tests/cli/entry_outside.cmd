cp "$PROGRAM/prog" prog
patch prog 24 00 00 00 00 00 00 00 00
"$ATOMC" -t branch prog -o out
