# any lines
"$ATOMC" -t prof --for=alpha "$PROGRAM/prog"
