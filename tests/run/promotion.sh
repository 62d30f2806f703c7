# promotion: counts that loops keep in registers equal the counts that would have been made in memory, wherever signals
# interrupt the loops.
cat >each.atd <<'END'
tool each "how often each instruction is executed"
counter executed[insts]
for i in insts { before i executed[i]++ }
report "-" for i in insts where executed[i] > 0 "PC" hex i.pc, "Executed" executed[i]
END
alpha plain "$tests/data/loops.c"
instrument memory -v --without=promotion each.atd plain
instrument made --without=placement each.atd plain
instrument registers -v each.atd plain
for dump in map code; do
    "$ATOMC" --dump=$dump each.atd plain -o none >$dump
done
# ldah, ldq, addq, stq: a register is added to a cell, at each way out of a loop
added=$(sed -n '/^circle\.atom:/,/^$/p' code |
    awk '$3 == "ldah" { at = NR } $3 == "addq" && NR == at + 2 { n++ } END { print n + 0 }')
check promotes \
    "[ $added -ge 3 ] && [ $(statistic registers.log 'in registers') -gt 300 ] && [ $(statistic memory.log 'in registers') = 0 ]"

# Handlers that jump away, return or end the program at random moments, anywhere in the loops and on the paths into and
# out of them: each instruction is counted as often as its copy is executed. If instructions are counted one by one, a
# signal can arrive between a count and its instruction: then one more is counted, with and without registers.
place=$(alpha-linux-gnu-nm -S plain | sed -n 's/ t circle$//p')
# The oracle examines copies only.
text=$(head -n 1 map | cut -d " " -f 1)-$(tail -n 1 map | cut -d " " -f 1)
for way in jump nest leave; do
    times=$([ $way = nest ] && pick 20 100 || pick 300 3000)
    for step in "" -singlestep; do
        : >executed
        qemu $step -plugin "$oracle,out=executed,text=$text" registers $way $times >printed 2>&1 || true
        # The originals of copies, from the map; the printed addresses and counts; the oracle's lines.
        awk -v place="$place" "$hexadecimal"'
            BEGIN { split(place, word, " "); first = number(word[1]); size = number(word[2]) }
            FILENAME == "map" { of[$1] = $2 }
            FILENAME == "printed" && /^0x/ { counted[$1] = $2 }
            FILENAME == "executed" && $1 in of && $3 > 0 {
                at = number(of[$1]) - first
                if (at < 0 || at >= size) next
                compared++
                apart = counted[of[$1]] - $3
                differ += apart < 0 ? -apart : apart
            }
            END { print differ + 0, compared + 0 }' map printed executed >apart
        read -r differ compared <apart
        jumps=$(sed -n 's/^interrupted //p' printed)
        allowed=$([ -z "$step" ] && echo 0 || echo $((jumps / 8 + 2)))
        check $way$step "[ ${jumps:-0} -ge 1 ] && [ $compared -gt 40 ] && [ $differ -le $allowed ]" printed
    done
done

# Faults inside of loops, left by a jump, skipped, or ending the program: equal to counts made at their own places.
for way in fault skip crash; do
    for each in made memory registers; do
        run_program $way-$each program $each "" "" -- $way
    done
    check $way "[ $(wc -l <$way-made/stdout) -gt 300 ]"
    same_results $way/memory $way-made $way-memory
    same_results $way/registers $way-made $way-registers
done
