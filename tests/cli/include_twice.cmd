# any lines
# status 0
mkdir lib
echo 'tool t
include "lib/a.atd" include "lib/../lib/a.atd"
for p in procs { before p calls[p]++ }' >t.atd
echo 'counter calls[procs]
include "a.atd", "../t.atd", "b.atd"' >lib/a.atd
echo 'report "-" for p in procs "Calls" calls[p]' >lib/b.atd
"$ATOMC" --dump=plan t.atd
