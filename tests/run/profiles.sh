# profiles: --profile changes the places of counts, never the results; it reduces the cost. Another build of the source
# uses the part of a profile that matches its code, and atomc reports the rest.
count() { # FILE: instructions that it executes
    qemu -plugin "$BUILD/bench/plugins/count.so,out=counted" -0 program "$1" 200000 >printed 2>&1
    cat counted
}
reports() { # FILE TURNS: its output and files, in folder
    rm -rf folder
    mkdir folder
    (cd folder && qemu -0 program "../$1" "$2" >stdout 2>&1)
}
alpha first "$tests/data/profiled.c"
alpha later -DLATER "$tests/data/profiled.c"
for tool in prof pixie branch; do
    instrument first.$tool -t $tool first
    ATOMC_FORMAT=json qemu first.$tool 3000 >printed
done
mv prof.out prof.json; mv pixie.out pixie.json; mv branch.out branch.json

for tool in prof cache $(pick "" "pixie branch"); do
    for program in first later; do
        instrument plain -t $tool $program
        reports plain 4000
        mv folder expected
        for profile in prof pixie branch; do
            instrument guide -t $tool --profile=$profile.json $program
            reports guide 4000
            check $tool/$program/$profile "diff -r expected folder"
        done
        rm -rf expected
    done
done

# A profile with branches reduces the cost of frequent paths, in another build too; a profile of procedures alone has no
# data about them.
for program in first later; do
    instrument plain -t prof $program
    without=$(count plain)
    for profile in pixie branch; do
        instrument guide -t prof --profile=$profile.json $program
        with=$(count guide)
        check $program/$profile/cheaper "[ $((100 * with)) -lt $((93 * without)) ]"
    done
done
instrument guide -t prof --profile=pixie.json first
check same-build "[ ! -s guide.log ]" guide.log
# A compiler makes clones of the changed one, or none.
prints later bash -c '"$ATOMC" -t prof --profile=pixie.json later -o guide 2>&1 | sed "1s/: [12] of/: 1 of/"' <<END
atomc: note: pixie.json: 1 of $(grep -o '"Procedure": "[^"]*"' pixie.json | sort -u | wc -l) procedures are used in part, because their code has changed or their name is not unique; the first is changed
atomc: note: pixie.json: 1 of $(grep -o '"Procedure": "[^"]*"' pixie.json | sort -u | wc -l) procedures are not in later; the first is removed
END

# Routines that are called at places that were not executed are not inlined there.
instrument plain -v -t cache first
instrument guide -v -t cache --profile=pixie.json first
check colder "[ $(stat -c %s guide) -lt $(stat -c %s plain) ]"

# Several profiles add up.
instrument guide -t prof --profile=pixie.json --profile=branch.json --profile=prof.json first
reports guide 4000
mv folder expected
instrument guide -t prof first
reports guide 4000
check several "diff -r expected folder"
