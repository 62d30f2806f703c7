# copying: memcpy of the analysis code (runtime/machine/alpha/memcpy.c) copies all bytes and no others, and accesses no other
# page.
alpha plain "$tests/data/exits.c" "$tests/data/exits.s"
instrument instrumented "$tests/data/copying.atd" plain
prints all qemu instrumented <<'END'
25856 copies, 0 wrong
500250
END
