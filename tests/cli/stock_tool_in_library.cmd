# any lines
# status 0
# leaves out
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -o prog; alpha-linux-gnu-strip prog -o stripped
"$ATOMC" -t io --objects=main prog -o out; "$ATOMC" -t third --objects=main stripped -o out; "$ATOMC" -t hiprof -t io -t malloc --objects=main prog -o out; "$ATOMC" -t coverage -D source=nosuch "$STATIC/prog" -o out
