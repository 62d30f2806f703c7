# coverage.awk: lcov's records DA and BRDA, from what the oracle counted, the source lines of all instructions (source_lines) and the positions
# (positions.atd). Use: awk -f coverage.awk COUNTS LINES POSITIONS. Source files stand without their folders.
BEGIN { FS = "\t" }
/^#/ { next }
FNR == NR { executed[$1] = $3; taken[$1] = $4; untaken[$1] = $5; next }
FILENAME == ARGV[3] {
    if (FNR == 1) next
    sub(/.*\//, "", $2)
    place = $2 ":" $3
    if ($3 > 0 && (!(place in most) || executed[$1] > most[place])) most[place] = executed[$1] + 0
    next
}
$3 !~ /:[1-9][0-9]*$/ { next }
!($3 in most) || executed[$1] > most[$3] { most[$3] = executed[$1] + 0 }
$2 ~ /^f?b(eq|ne|lt|le|gt|ge|lbc|lbs)$/ {
    print "BRDA:" $3 ",0," (executed[$1] ? taken[$1] : "-")
    print "BRDA:" $3 ",1," (executed[$1] ? untaken[$1] : "-")
}
END { for (place in most) printf "DA:%s,%.0f\n", place, most[place] }
