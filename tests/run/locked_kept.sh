# locked_kept: values that locked sequences overwrite are kept for the actions that are deferred to their end.
libraries=/usr/alpha-linux-gnu
for program in static $(pick "" dynamic); do
    $([ $program = static ] && echo alpha || echo shared) $program "$tests/data/locked_kept.c" "$tests/data/locked_kept.s"
    qemu -L $libraries ./$program >plain
    { cat plain &&
        awk -F'\t' \
        '{ row = row (row ? "\t" : "") $2 } END { print "Cells\tAddresses\tStored\tAgain\tDifferences";
            print row "\t100\t-299" }' plain; } >expected
    for flags in "" --without=placement --call=wrapper --stack=program --for=qemu; do
        instrument instrumented --strict $flags "$tests/data/locked_kept.atd" $program
        qemu -L $libraries ./instrumented >found
        sed -n 1,5p found >totals
        same "$program$flags" expected totals
        check "$program$flags/by-bits" \
            "awk -F'\t' 'FNR == NR { if (\$1 == \"Stored\") stored = \$2; next } FNR > 6 { n++; stored -= \$2 }
                END { exit n != 2 || stored != 0 }' plain found" found
    done
done
