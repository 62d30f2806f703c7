# Permissions do not stop root: a loop of links does.
cp "$PROGRAM/prog" prog; ln -s t.atd t.atd
"$ATOMC" t.atd prog -o out
