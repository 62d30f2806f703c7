# any lines
mkdir lib
echo 'tool t
include "lib/a.atd", "lib/none.atd"
include "lib/b.atd", "lib"
before program total[0]++' >t.atd
echo 'include "b.atd", "../t.atd"
set loads = inst i where i.clas == load
counter total' >lib/a.atd
echo 'include "a.atd"
analysis "b.c"
set stores = inst i where
for i in loads { include "a.atd" }' >lib/b.atd
"$ATOMC" --check t.atd
