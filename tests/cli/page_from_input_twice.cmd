# any lines
"$ATOMC" - - "$PROGRAM/prog"
