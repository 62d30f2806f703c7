# status 0
# any lines
echo 'tool t
analysis "not_there.c"
param int least = 3 "fewest calls"
param int while = 1
set leaves = proc p where p.is_leaf
counter calls[leaves]
histogram sizes log2
for p in leaves { before p calls[p]++, sizes << $a0, call Enter(index(p), $farg(1), p.name) }
after program call Finish()' >t.atd
"$ATOMC" --header t.atd && "$ATOMC" --stub t.atd
