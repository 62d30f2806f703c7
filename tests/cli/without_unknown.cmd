# any lines
:
"$ATOMC" --without=livenes -t prof "$PROGRAM/prog" -o out
