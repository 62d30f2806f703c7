# status 0
# any lines
# says counter updates inserted .*: plain, because the program has no way to make threads
# leaves out
echo 'tool t
counter n
for p in procs { before p n++ }' >t.atd
"$ATOMC" -v t.atd "$PROGRAM/prog" -o out | grep 'counter updates'
