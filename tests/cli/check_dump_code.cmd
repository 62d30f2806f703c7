# any lines
cp "$PROGRAM/prog" prog; echo "tool t" >t.atd
"$ATOMC" --check --dump=code t.atd prog
