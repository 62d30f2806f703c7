# exits: a procedure is left as often as it is entered, in all ways: return, branch, conditional branch, jump.
alpha plain "$tests/data/exits.c" "$tests/data/exits.s"
instrument instrumented "$tests/data/exits.atd" plain
prints all-ways qemu instrumented <<'END'
500250
Procedure	Entered	Left
leaf	750	750
ways	1000	1000
END
