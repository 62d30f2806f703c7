# status 125
# any lines
"$ATOMC" run -o x --files -t prof "$PROGRAM/prog"
