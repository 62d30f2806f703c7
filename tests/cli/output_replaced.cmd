# any lines
# status 0
# leaves out
cp "$PROGRAM/prog" prog
echo 'old contents' >out
"$ATOMC" -t empty prog -o out && qemu-alpha ./out new
