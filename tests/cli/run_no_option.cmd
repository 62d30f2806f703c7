# status 125
# any lines
"$ATOMC" run --folow -t prof "$PROGRAM/prog"
