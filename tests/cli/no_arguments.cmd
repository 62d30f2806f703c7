# any lines
"$ATOMC"
