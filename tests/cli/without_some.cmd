# any lines
# leaves out
# status 0
:
"$ATOMC" --without=placement,sharing -t prof "$PROGRAM/prog" -o out && "$ATOMC" --without=all -t prof "$PROGRAM/prog" -o out
