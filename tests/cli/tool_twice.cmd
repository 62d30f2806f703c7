cp "$PROGRAM/prog" prog
"$ATOMC" -t cache -t prof -t cache prog -o out
