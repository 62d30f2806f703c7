cp "$PROGRAM/prog" prog
"$ATOMC" -t branch -t prof -t branch prog -o out
