# The second loadable segment lies over the first.
cp "$STATIC/prog" prog
patch prog $((64 + 56 + 16)) 00 00 00 20 01 00 00 00
"$ATOMC" -t branch prog -o out
