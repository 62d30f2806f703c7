cp "$PROGRAM/prog" prog
"$ATOMC" -t audit -t prof -t audit prog -o out
