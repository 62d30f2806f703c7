# any lines
mkdir lib
echo 'tool t
include "lib/a.atd"
set loads = inst i where i.class == load
include "lib/c.atd"' >t.atd
echo 'include "b.atd", "../t.atd"
tool other
set loads = inst i where i.clas == load' >lib/a.atd
echo 'include "a.atd"
param int n = 3 check n < 3' >lib/b.atd
echo 'for loads in blocks { before loads stores[loads]++ }
counter stores[insts]' >lib/c.atd
"$ATOMC" --check t.atd
