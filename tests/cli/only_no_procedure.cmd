# any lines
"$ATOMC" --dump=cfg --only=mian "$PROGRAM/prog"
