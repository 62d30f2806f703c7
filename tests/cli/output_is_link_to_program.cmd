# any lines
cp "$PROGRAM/prog" prog
ln -s prog link
"$ATOMC" -t empty prog -o link
