# status 125
# any lines
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -o dynamic
ATOMC_CACHE= ATOMC_SYSROOT=/nowhere "$ATOMC" run -t prof ./dynamic
