# any lines
"$ATOMC" -t prof --profile= "$PROGRAM/prog"
