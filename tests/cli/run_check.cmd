# status 125
# any lines
"$ATOMC" run --check -t prof "$PROGRAM/prog"
