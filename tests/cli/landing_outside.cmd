# any lines
"$ATOMC" -t prof --landing=0x10 --landing=0x120000102 "$PROGRAM/prog"
