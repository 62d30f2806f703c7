# any lines
# What was there stays when atomc fails.
echo 'no program' >prog
echo 'old contents' >out
"$ATOMC" -t empty prog -o out || { echo "$?"; cat out; exit 1; }
