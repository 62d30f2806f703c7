# any lines
# status 0
cp "$PROGRAM/prog" prog
ATOMC_CACHE= "$ATOMC" run --chart -t empty -- ./prog one
