# coverage.awk: lcov's records DA and BRDA, from what the oracle counted and the source lines of all instructions (source_lines).
# Use: awk -f coverage.awk COUNTS LINES. Source files stand without their folders.
BEGIN { FS = "\t" }
/^#/ { next }
FNR == NR { executed[$1] = $3; taken[$1] = $4; untaken[$1] = $5; next }
$3 !~ /:[1-9][0-9]*$/ { next }
!($3 in most) || executed[$1] > most[$3] { most[$3] = executed[$1] + 0 }
$2 ~ /^f?b(eq|ne|lt|le|gt|ge|lbc|lbs)$/ {
    print "BRDA:" $3 ",0," (executed[$1] ? taken[$1] : "-")
    print "BRDA:" $3 ",1," (executed[$1] ? untaken[$1] : "-")
}
END { for (place in most) printf "DA:%s,%.0f\n", place, most[place] }
