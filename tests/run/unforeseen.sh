# unforeseen: an indirect jump with an unforeseen target stops the program and prints both addresses; one that may go anywhere
# in its procedure is counted exactly; signal handlers may send control where they like.
alpha plain "$tests/data/unforeseen.c" "$tests/data/unforeseen.s"
address() { # SYMBOL OFFSET
    printf '0x%x' $((0x$(alpha-linux-gnu-nm plain | awk -v name="$1" '$3 == name { print $1 }') + $2))
}
# The kinds of jump, and how far each is from the beginning of by_KIND.
declare -A jump=([jump]=4 [return]=4 [call]=16 [link]=16 [own-code]=)
for kind in "${!jump[@]}"; do
    ending said-$kind-0 plain "$kind" 0
    from=" at $([ $kind = own-code ] || address by_$kind ${jump[$kind]})"
    [ $kind != own-code ] || from=" of code outside of the program's text"
    for offset in 4 8 12; do
        head -n 1 said-$kind-0 >said-$kind-$offset
        printf '%s\n' "atomc: the indirect jump$from goes to $(address victim $offset), which was not foreseen: stopped. With atomc --landing=$(address victim $offset) it is" \
            "exit status 134" >>said-$kind-$offset
    done
done

# audit reads all registers, so that its jumps have none to look up in.
for variant in empty prof "prof --without=placement" audit "audit --stack=program" third $(pick "" cache); do
    instrument tool -v -t $variant plain
    [ "${variant%% *}" != audit ] || check "${variant// /}" "grep -q 'that spill a register  *[1-9]' tool.log" tool.log
    for kind in "${!jump[@]}"; do
        for offset in $(pick "0 8" "0 4 8 12"); do
            rm -f prof.out
            ending found tool $kind $offset
            check "${variant// /}/$kind/$offset" "diff said-$kind-$offset found"
            # The counts until then.
            [ "${variant%% *}" != prof ] || [ $offset = 0 ] ||
                check "${variant// /}/$kind/$offset/counts" "grep -q -w computed prof.out && ! grep -w victim prof.out"
        done
    done
done

# With the address that the message names, the program runs to its end, and its counts are exact.
while read -r kind offset; do
    landing=--landing=$(address victim "$offset")
    ending expected -singlestep -0 tool -plugin "$oracle,out=oracle.txt,registers=on,cache=on" plain "$kind" "$offset"
    for flags in "" --without=placement --poison --call=wrapper; do
        instrument tool -t prof -t audit $flags "$landing" plain
        ending found tool "$kind" "$offset"
        check "landing/$kind/$offset$flags" "diff expected found && bash '$tests/lib/counts.sh' prof oracle.txt prof.out plain '^(main|by_.*|computed|victim)$'" found
    done
done < <(for kind in "${!jump[@]}"; do for offset in $(pick 8 "4 8 12"); do echo "$kind" "$offset"; done; done)

# In partial copies the program goes on, and it is said; all other procedures are counted exactly.
shared dynamic "$tests/data/unforeseen.c" "$tests/data/unforeseen.s"
libraries=/usr/alpha-linux-gnu
cat >victim.atd <<'END'
# victim: a few places only.
tool victim "entries of victim"
counter entered
for p in procs where p.name == "victim" {
    before p    entered++
}
report "victim.out" "entered" entered
END
instrument dynamic.atom -t prof dynamic
instrument plain.atom -v victim.atd plain
check partial "grep -q '^    copied' plain.atom.log" plain.atom.log
for kind in "${!jump[@]}"; do
    for program in dynamic plain; do
        for offset in $(pick "0 8" "0 4 8 12"); do
            ending expected -L "$libraries" -singlestep -plugin "$oracle,out=oracle.txt,registers=on,cache=on" $program $kind $offset
            ending all.found -L "$libraries" $program.atom $kind $offset
            grep -v '^atomc: jumps came to places that were not foreseen, 1 in all, the first to 0x' all.found >found || true
            check "$program/$kind/$offset" "diff expected found"
            check "$program/$kind/$offset/said" "[ \$(grep -c '^atomc:' all.found) = $((offset > 0)) ]" all.found
            if [ $program = plain ]; then
                check "$program/$kind/$offset/counts" "[ \$(tail -n 1 victim.out) = $((offset == 0)) ]" victim.out
            else
                check "$program/$kind/$offset/counts" "bash '$tests/lib/counts.sh' prof oracle.txt prof.out $program '^(main|by_.*|computed$([ $offset != 0 ] || echo '|victim'))$'"
            fi
        done
    done
done

# Counts where a jump may go to any word of its procedure, and where labels are added up from differences and kept in memory.
for level in $(pick O0 "O0 O2"); do
    alpha labels-$level -$level "$tests/data/label_differences.c"
    echo labels-$level run
done >labels
while read -r program procedure words; do
    ending expected -singlestep -0 tool -plugin "$oracle,out=oracle.txt,registers=on,cache=on" $program $words
    for flags in "" --without=placement; do
        instrument tool -t prof $flags $program
        ending found tool $words
        check "counts/$program$flags" "diff expected found && bash '$tests/lib/counts.sh' prof oracle.txt prof.out $program $procedure"
    done
done < <(echo plain computed jump 0 && cat labels)
