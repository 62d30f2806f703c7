cp "$PROGRAM/prog" prog
patch prog 16 99 99
"$ATOMC" -t branch prog -o out
