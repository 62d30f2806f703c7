# any lines
"$ATOMC" "$PROGRAM/prog" -e
