cp "$PROGRAM/prog" prog
patch prog 16 04 00
"$ATOMC" -t branch prog -o out
