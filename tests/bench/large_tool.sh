#!/bin/bash
# large_tool.sh [RULES]: prints a tool of that many rules (default 1000) with 20 lines each, of all that the language has.
# Requires: awk. It compiles without C and without a program.
set -eu
awk -v rules="${1:-1000}" 'BEGIN {
    print "# " rules " rules of 20 lines, generated."
    print "tool large \"a large tool\""
    print "param int least = 1 \"fewer are left out\" check least >= 0"
    for (r = 0; r < rules; r++) {
        print ""
        print "# Rule " r ":"
        print "# unaligned references of one size, and blocks of more than a few instructions."
        printf "set chosen%d = inst i where (i.reads_memory or i.writes_memory) and i.size == %d\n", r, 2 ^ (r % 4)
        printf "    and i.displacement > %d and not i.is_locked\n", r
        printf "    and (i.proc.name like \"*%d*\" or i.file like \"*part%d.c\")\n", r % 10, r
        printf "set blocks%d = block b where b.ninsts > %d + (%d & 7) * 2 and b.proc.nblocks < 1000\n", r, r % 5, r
        printf "counter reads%d[chosen%d], largest%d,\n", r, r, r
        printf "    entered%d[blocks%d]\n", r, r
        printf "for i in chosen%d {\n", r
        printf "    before i when $addr %% %d != 0 and $(i.ra) > %d\n", 2 ^ (r % 4), r
        printf "        reads%d[i]++, largest%d max= $addr - %d\n", r, r, r * 8
        print "}"
        printf "for b in blocks%d {\n", r
        printf "    before b\n        entered%d[b] += b.ninsts * %d\n", r, r + 1
        print "}"
        printf "report \"rule%d.out\" for b in blocks%d where b.pc > 0 and entered%d[b] >= least\n", r, r, r
        printf "    sorted by entered%d[b] descending top %d\n", r, r % 100 + 1
        printf "    \"PC\" hex b.pc, \"Entered\" entered%d[b], \"Share\" percent entered%d[b]\n", r, r
    }
}'
