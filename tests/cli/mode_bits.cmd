# any lines
# status 0
# leaves out
cp "$PROGRAM/prog" prog
chmod 750 prog
"$ATOMC" -t empty prog -o out && stat -c '%a' out
