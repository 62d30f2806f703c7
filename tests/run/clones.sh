# clones: no thread waits for a thread that could not be made: the last thread's end is the program's, with results.
alpha static "$tests/data/clones.c" -pthread
shared dynamic "$tests/data/clones.c" -pthread
libraries=/usr/alpha-linux-gnu
while read -r program tool; do
    instrument tool -t $tool $program || continue
    for count in 0 3; do
        ending expected -L "$libraries" $program $count
        rm -f ./*.out
        ending found -L "$libraries" tool $count
        check "$program/${tool// /}/$count" "diff expected found && ls ./*.out"
        [ "$tool" != prof ] || check "$program/prof/$count/results" "grep -q -w work prof.out"
    done
done < <(printf 'static %s\n' prof cache audit third && printf 'dynamic %s\n' prof "prof --objects=all" &&
    pick "" "$(printf 'dynamic %s\n' cache audit third)" | grep .)
