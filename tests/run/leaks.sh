# leaks: the gallery's tool, whose counters hold calling contexts and are deleted, against a program's own records of the blocks
# that four threads allocate and free: malloc, calloc, realloc (also of no block, of no bytes, and refused), memalign.
cp "$tests"/leaks/* "$top"/packages/gallery/leaks/leaks.atd .
own_paths() { # of the program's procedures, without the calls around them
    awk -F '\t' 'NR > 1 && !/^total/ { sub(/^.*;(work|step|main);/, "", $4); sub(/\.(constprop|isra|part).*$/, "", $4);
        bytes[$4] += $1; kept[$4] += $2 }
        END { for (path in bytes) print bytes[path] "\t" kept[path] "\t" path }' "$1" |
        grep -E '	(once|twice|nothing|cleared|aligned|moved);' | sort
}
alpha program program.c -O1 -g -pthread
for flags in "" --call=wrapper; do
    instrument instrumented $flags leaks.atd -D least=0 program
    rm -f leaks.out.*
    qemu instrumented 2>child | sort >expected
    check "records$flags" "[ \$(wc -l <expected) -ge 5 ] && grep -q 'moved;' expected" expected
    own_paths leaks.out >found
    same "static$flags" expected found
    sort child >expected
    own_paths leaks.out.[0-9]* >found
    check "child/records$flags" "[ \$(wc -l <expected) -ge 5 ]" expected
    same "child$flags" expected found
done
# The quotient of the sums, not the sum of quotients, as printf rounds it.
check total "awk -F '\t' '{ b = \$1; sub(/^total /, \"\", b) } NR > 1 && !/^total/ { bytes += b; kept += \$2 }
    /^total/ { exit !(b == bytes && \$2 == kept && \$3 == sprintf(\"%.2f\", bytes / kept)) }' leaks.out" leaks.out

# Snapshots of the memory in use, against the allocations and frees before that instruction, in another page's trace.
shared accesses "$tests/tools/accesses.c" -g
instrument instrumented --objects=libc leaks.atd -D least=0 -D interval=10000 events.atd accesses || return 0
qemu -L /usr/alpha-linux-gnu instrumented >log
awk 'FNR == 1 { file++ } file == 1 { if (FNR > 1 && !($1 in times)) times[order[++snapshots] = $1]; next }
    FNR == 1 { process = $4 }
    $4 == process { while (at < snapshots && $1 >= order[at + 1]) print order[++at] "\t" bytes "\t" blocks
      if ($2 in size) { bytes -= size[$2]; blocks--; delete size[$2] }
      if ($3 >= 0) { size[$2] = $3; bytes += $3; blocks++ } }
    END { while (at < snapshots) print order[++at] "\t" bytes "\t" blocks }' snapshots.out events >expected
awk -F '\t' 'NR > 1 { if ($1 != last && NR > 2) print last "\t" bytes "\t" blocks; if ($1 != last) bytes = blocks = 0
    last = $1; bytes += $2; blocks += $3 } END { print last "\t" bytes "\t" blocks }' snapshots.out >found
same snapshots expected found
check snapshots/some "[ \$(wc -l <found) -gt 20 ] && [ \$(cut -f 3 found | sort -u | wc -l) -gt 10 ]" found
