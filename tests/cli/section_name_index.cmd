cp "$PROGRAM/prog" prog
patch prog 62 f0 f0
"$ATOMC" -t branch prog -o out
