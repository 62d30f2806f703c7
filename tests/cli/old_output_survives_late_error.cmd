# any lines
# The program is only found wanting when the tool has been compiled; what was there stays.
echo 'old contents' >out; head -c 64 "$PROGRAM/prog" >prog
"$ATOMC" -t branch prog -o out || { status=$?; cat out; exit $status; }
