# any lines
# The first loadable segment claims more bytes than the file has.
cp "$STATIC/prog" prog
patch prog $((64 + 32)) ff ff ff ff 00 00 00 00 ff ff ff ff 00 00 00 00
"$ATOMC" -t branch prog -o out
