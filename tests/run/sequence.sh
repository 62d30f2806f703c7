# sequence: instrumented, a program executes the same instructions with the same effective addresses in the same order, from the
# first to the last, under its original addresses.
plugin=$BUILD/tests/sequence.so
few="mawk-O0:errors:audit byacc-O3:conflicts:prof bzip2-O2:damaged:cache addresses-O2:jumps:branch"
all="$few blas-O0:errors:cache sqlite3-O0:errors:branch bzip2-O2:compress:audit minigzip-O2:compress:prof lua-O2:errors:cache lzip-O2:compress:branch
    minisat-O2:satisfiable:audit mawk-O2:words:prof byacc-O2:grammar:cache sqlite3-O2:queries:branch blas-O2:small:audit
    zblas-O2:small:prof addresses-O2:places:cache"
for each in $(pick "$few" "$all"); do
    IFS=-: read -r name level workload tool <<<"$each"
    use "$name" "$level" "$workload" || continue
    run plain "$program" -plugin "$plugin,out=$scratch/plain.txt"
    instrument instrumented -t "$tool" "$program"
    "$ATOMC" -t "$tool" "$program" --dump=map >map
    run ran instrumented -plugin "$plugin,out=$scratch/ran.txt,map=$scratch/map"
    # If they differ, two runs with from=, to= show where.
    same "$each" plain.txt ran.txt
done
