cp "$PROGRAM/prog" prog
patch prog 5 02
"$ATOMC" -t branch prog -o out
