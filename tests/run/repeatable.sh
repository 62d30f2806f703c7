# repeatable: the bytes that atomc writes do not depend on where its own memory lies. Each seed of scatter.c is another layout of
# the heap. (Constants were once shared only if a table that is indexed by their hash had not forgotten them; the hash is made of
# addresses, and in one of twenty layouts an indirect jump got a sum of amounts that were all equal.)
gcc -O2 -shared -fPIC "$tests/data/scatter.c" -o scatter.so
alpha static "$tests/data/facts.cc" -Wl,--no-relax
shared dynamic "$tests/data/facts.cc"
fixed=
! setarch -R true 2>/dev/null || fixed='setarch -R' # containers may forbid it: the layouts differ from run to run then
written() { # SEED WORD...: instruments with this layout of the heap
    local seed=$1
    shift
    SCATTER=$seed LD_PRELOAD=$PWD/scatter.so $fixed "$ATOMC" "$@" 2>"messages.$seed" || echo "status $?"
}
differ() { # WORD...: prints differences between layouts
    local seed
    written 1 "$@" -o first
    for seed in $(seq 2 "$(pick 3 40)"); do
        written "$seed" "$@" -o other
        cmp first other 2>&1 || echo "seed $seed: $*"
        diff messages.1 "messages.$seed" || echo "messages of seed $seed: $*"
    done
}
written 1 "$tests/switches/counts.atd" --stack=program static --dump=sites >sites.1
for seed in $(seq 2 "$(pick 6 40)"); do
    written "$seed" "$tests/switches/counts.atd" --stack=program static --dump=sites >sites."$seed"
    cmp sites.1 sites."$seed" || true
done >sites 2>&1
check sites "[ \$(wc -l <sites.1) -gt 10000 ] && [ ! -s sites ]" sites
for tool in $(pick "prof trace" "$("$ATOMC" info tools | cut -d ' ' -f 1)"); do
    differ -t "$tool" dynamic $(pick "" --objects=all) >found 2>&1
    check "tool/$tool" '[ -s first ] && [ ! -s found ]' found
done
differ "$tests/switches/counts.atd" static >found 2>&1
check counts '[ -s first ] && [ ! -s found ]' found
