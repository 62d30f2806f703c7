# The first loadable segment's memory size is smaller than its file size.
cp "$STATIC/prog" prog
patch prog $((64 + 40)) 10 00 00 00 00 00 00 00
"$ATOMC" -t branch prog -o out
