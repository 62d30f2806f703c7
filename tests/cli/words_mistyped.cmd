# any lines
cp "$STATIC/prog" prog; printf 'void Count(long n) { (void)n; }\n' >a.cc; printf 'tool t\nanalysis "a.cc"\nfor p in procs { before p call Count(1) }\n' >t.atd
for words in "--cal=inline -t prof prog" "-t prof.atd prog" "runn -t prof prog" "--objects=libc.so -t prof prog" "-t prof -o . prog" "t.atd prog"; do "$ATOMC" -o out $words; done; "$ATOMC" info attribut
