# Objects of data that there are not, of which there are two, or which are elsewhere: each says why.
# any lines
# leaves t.atd c.c d.c c.o d.o prog p2 message
printf 'static volatile long same;\nlong total;\n__thread volatile long own;\nint main(void) { own = same++; return 0; }\n' >c.c
printf 'static volatile long same;\nlong other(void) { return same++; }\n' >d.c
alpha-linux-gnu-gcc -O2 -c c.c d.c && alpha-linux-gnu-gcc -static -Wl,--no-relax c.o d.o -o prog
printf '#include <unistd.h>\nextern char **environ;\nint main(void) { return environ == 0; }' | alpha-linux-gnu-gcc -O2 -xc - -o p2
try() { # CONDITION PROGRAM
    printf 'tool t "x"\ncounter n\nfor i in insts where i.is_store { before i when $addr %s n++ }\nreport "-" "n" n\n' "$1" >t.atd
    "$ATOMC" --check t.atd "$2" 2>&1 | grep -v '^ ' | sed 's,0x[0-9a-f]*,ADDRESS,g' >>message
}
try '== address("totl")' prog
try 'in data("same")' prog
try 'in data("own")' prog
try 'in data("main")' prog
try '== size("same", "*.h")' prog
try 'in data("environ")' p2
try '== address("total", "c.*")' prog
cat message && false
