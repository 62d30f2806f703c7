# any lines
cp "$PROGRAM/prog" prog
for it in 'cache -D size' 'dtb -D pages' 'hiprof -D depth'; do "$ATOMC" -t $it=1000000000000 prog -o out; done
