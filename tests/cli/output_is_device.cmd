# any lines
# A device keeps its place, /dev/null above all.
cp "$PROGRAM/prog" prog; mkfifo pipe
"$ATOMC" -t empty prog -o pipe && [ -p pipe ]
