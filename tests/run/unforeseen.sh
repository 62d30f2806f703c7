# unforeseen: after an indirect jump with an unforeseen target the program behaves as before, it is counted exactly, and
# a line reports it; a jump that may go anywhere in its procedure is foreseen; signal handlers may change the pc to any
# address.
alpha plain "$tests/data/unforeseen.c" "$tests/data/unforeseen.s"
address() { # PROGRAM SYMBOL OFFSET
    printf '0x%x' $((0x$(alpha-linux-gnu-nm "$1" | awk -v name="$2" '$3 == name { print $1 }') + $3))
}
said='^atomc: jumps came to places that were not foreseen'
# Its output is in expected, its counts in oracle.txt; a program that has been observed with these words is not run again, unless
# it is of another edition.
observe() { # OPTION... PROGRAM WORD...
    local kept="observed/${edition:-} ${*//\//-}"
    mkdir -p observed
    if [ ! -e "$kept.counts" ]; then
        ending "$kept" -singlestep -0 tool -plugin "$oracle,out=oracle.txt,registers=on,cache=on" "$@"
        mv oracle.txt "$kept.counts"
    fi
    cp "$kept" expected
    cp "$kept.counts" oracle.txt
}
# Runs tool.atom: found has its output without atomc's messages, which are in said.
run_tool() { # WORD...
    rm -f ./*.out
    ending all.found -0 tool "$@"
    grep "$said" all.found >said || true
    grep -v "$said" all.found >found || true
}
# The kinds of jump, and how far each is from the beginning of by_KIND.
declare -A jump=([jump]=4 [return]=4 [call]=16 [link]=16 [own-code]=)
own='^(main|by_.*|computed|victim)$'

# audit reads all registers, so that its jumps have no free register for the lookup. make check has all kinds with prof,
# and with other variants one kind each.
kinds=("${!jump[@]}") number=0
for variant in prof empty "prof --without=placement" audit "audit --stack=program" third $(pick "" cache); do
    instrument tool -v -t $variant plain
    tool=${variant%% *}
    [ $tool != audit ] || check "${variant// /}" "grep -q 'that spill a register  *[1-9]' tool.log" tool.log
    for kind in $([ "$variant" = prof ] && echo "${kinds[*]}" || pick "${kinds[number++ % 5]}" "${kinds[*]}"); do
        for offset in $(pick "$([ "$kind" != jump ] || echo 0) 8" "0 4 8 12"); do
            observe plain "$kind" "$offset"
            run_tool tool "$kind" "$offset"
            check "${variant// /}/$kind/$offset" "diff expected found"
            at=$(address plain victim "$offset")
            check "${variant// /}/$kind/$offset/said" "[ \$(wc -l <said) = $((offset > 0)) ] && { [ $offset = 0 ] ||
                grep -q ', 1 in all, the first to $at[ :].* --landing=$at\$' said; }" said
            case $tool in prof | audit)
                check "${variant// /}/$kind/$offset/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $tool.out plain '$own'"
                ;;
            esac
        done
    done
done
instrument tool -t prof plain
run_tool tool jump 8
check said/jump "grep -q 'to $(address plain victim 8) by the jump at $(address plain by_jump 4): ' said" said

# Blocks whose end depends on their beginning, and others (midway.s): from all places, in all ways.
alpha midway "$tests/data/midway.c" "$tests/data/midway.s" "$tests/data/go.s" -g
blocks='^(main|go_.*|by_context|add[12]0|own_gp|done|behind_call|known_call|known_callee|locked|looped|accesses|shared)$'
stepped_places='behind_call_middle known_callee_middle known_call_middle known_call_last locked_middle locked_last'
entered_places='looped_middle looped_last accesses_middle accesses_last shared_middle'
midway() { # TEST TOOL PROGRAM KIND PLACE [masked]: of tool.atom
    local test=$1 tool=$2
    shift 2
    # A file's name is on the stack: under one of another length, strings of the program are aligned otherwise.
    cp "$1" orig
    observe $([ "$1" = midway ] || echo -L /usr/alpha-linux-gnu) orig "$2" "$3" 5 ${4:-}
    run_tool $([ "$1" = midway ] || echo -L /usr/alpha-linux-gnu) tool "$2" "$3" 5 ${4:-}
    check "$test/$2/$3" "diff expected found"
    case $tool in prof | audit | branch)
        check "$test/$2/$3/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $tool.out $1 '$blocks'"
        ;;
    esac
}
# Where a handler has changed the pc, the runtime may enter a block in its middle without losing a count: nothing is reported then.
by_handler() { # KIND
    [ "$1" = context ] || [ "$1" = fault ]
}
# ways NUMBER OF KIND[:masked]...: lines KIND PLACE [masked]. make check has each place in one of OF such lists, with
# one kind.
ways() {
    local number=$1 of=$2 place n=0
    for place in $stepped_places $entered_places; do
        [ "$SIZE" = all ] || [ $((n % of)) = $((number % of)) ] && for kind in $(
            [ "$SIZE" = all ] && echo "${@:3}" || echo "${@:3 + (n / of + number / of) % ($# - 2):1}"); do
            echo "${kind%:masked} $place $([ "$kind" = "${kind%:masked}" ] || echo masked)"
        done
        n=$((n + 1))
    done
}
number=0
for variant in prof "prof --without=placement" audit third $(pick "" "empty cache branch"); do
    instrument tool -t $variant midway
    while read -r kind place _; do
        # Liveness does not see a handler's jump (docs/limits.md).
        case $variant-$kind-$place in third-fault-* | audit-fault-* | audit-context-shared_middle) continue ;; esac
        midway "midway/${variant// /}" "${variant%% *}" midway "$kind" "$place"
    done < <(
        case $variant in
        prof) ways 0 1 jump return fault context ;;
        *) ways $number 3 jump $(pick "" "return fault context") ;;
        esac
    )
    number=$((number + 1))
done
for tool in third audit; do
    instrument tool -t $tool --without=liveness midway
    for place in $(pick "$([ $tool = third ] && echo looped_middle || echo accesses_middle)" "$stepped_places $entered_places")
    do
        midway "midway/$tool--without=liveness" $tool midway fault "$place"
    done
done
# Sites that share registers: their values are read after the sites.
instrument tool -t audit --without=set-aside midway
midway midway/shared audit midway return shared_middle
instrument tool -t prof midway
for place in behind_call_middle $(pick "" locked_last) looped_middle; do
    midway midway/masked prof midway jump "$place" masked
done

# A call before each instruction: exact, except for instructions that were executed elsewhere, as reported.
cat >each.atd <<'END'
# each: how often each instruction is executed.
tool each "executions of instructions"
set chosen = inst i where i.proc.name like "*looped" or i.proc.name like "*accesses"
    or i.proc.name == "shared" or i.proc.name like "*locked"
    or i.proc.name like "known*"
before program          call Open(count(chosen))
for i in chosen {
    before i            call Count(index(i))
    after program       call Print(index(i), i.pc)
}
END
cat >each.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static long *counts;
void Open(long n) { counts = calloc(n, sizeof *counts); }
void Count(long i) { counts[i]++; }
void Print(long i, long pc)
{
    static FILE *file;
    if (!file) file = fopen("each.out", "w");
    fprintf(file, "0x%lx %ld\n", pc, counts[i]);
    fflush(file);
}
END
for flags in $(pick "--call=wrapper" "--call=wrapper --call=inline"); do
    instrument tool $flags each.atd each.c midway
    for place in $(pick "looped_middle shared_middle" "$entered_places") locked_middle known_callee_middle; do
        midway midway/each$flags none midway jump "$place"
        awk 'FNR == NR { counts[$1] = $3; next } { missing += counts[$1] - $2; seen += $2 }
            END { print missing, (seen > 0) }' oracle.txt each.out >missing
        steps=$(sed -n 's/.* nor what is done at \([0-9]*\) instructions* after.*/\1/p' said)
        check "midway/each$flags/jump/$place/calls" "[ '${steps:-0} 1' = \"\$(cat missing)\" ]" missing
    done
done

# From a library, whose $29 differs, into partial copies; also if springboards are in the procedures' own words.
echo 'static const char constants[4500000] = {1}; const char *volatile used = constants;' >constants.c
shared libgo.so "$tests/data/go.s" -fPIC -shared
for room in near far; do
    shared dynamic-midway "$tests/data/midway.c" "$tests/data/midway.s" $([ $room = near ] || echo constants.c) -L. -lgo \
        -Wl,-rpath,"$scratch" -Wl,-z,now -rdynamic
    instrument tool -t prof dynamic-midway
    edition=$room
    blocks='^(main|by_context|add[12]0|own_gp|behind_call|known_call|known_callee|locked|looped|accesses|shared)$'
    observe_library=/usr/alpha-linux-gnu
    while read -r kind place _; do
        observe -L $observe_library dynamic-midway "$kind" "$place" 5
        run_tool -L $observe_library tool "$kind" "$place" 5
        check "midway/dynamic/$room/$kind/$place" "diff expected found && { [ \$(wc -l <said) = 1 ] || by_handler $kind; } &&
            bash '$tests/lib/counts.sh' prof oracle.txt prof.out dynamic-midway '$blocks'"
    done < <(ways $([ $room = near ] && echo 0 || echo 1) 2 jump context $(pick "" "return fault"))
done

# Inside of an instrumented library: procedures behave as those of the program itself.
shared libmidway.so "$tests/data/midway.s" -fPIC -shared -Wl,-Bsymbolic -L. -lgo -Wl,-rpath,"$scratch"
shared own "$tests/data/midway.c" "$tests/data/midway.s" -L. -lgo -Wl,-rpath,"$scratch" -Wl,-z,now -rdynamic
shared apart "$tests/data/midway.c" -L. -lmidway -lgo -Wl,-rpath,"$scratch"
counts_of() { # PROGRAM: of the tool's last run
    awk -F'\t' -v names="$blocks" '$4 ~ names { print $2, $4 }' prof.out | sort >"$1.counts"
    [ -s "$1.counts" ]
}
instrument own.atom -t prof own
number=0
for variant in prof "prof --without=placement" audit $(pick "" "third cache"); do
    instrument apart.atom -t $variant --objects=$([ "$variant" = prof ] && echo all || pick main,libmidway.so,libgo.so all) apart
    while read -r kind place masked; do
        ending expected -L $observe_library apart "$kind" "$place" 5 $masked
        if [ "${variant%% *}" = prof ]; then
            qemu -L $observe_library own.atom "$kind" "$place" 5 $masked >own.printed 2>&1 || true
            counts_of own
        fi
        ending all.found -L $observe_library apart.atom "$kind" "$place" 5 $masked
        grep "$said" all.found >said || true
        grep -v "$said" all.found >found || true
        check "midway/library/${variant// /}/$kind/$place$masked" "diff expected found"
        [ "${variant%% *}" != prof ] || check "midway/library/${variant// /}/$kind/$place$masked/counts" \
            "{ [ \$(wc -l <said) = 1 ] || by_handler $kind; } && counts_of apart && diff own.counts apart.counts"
    done < <(
        case $variant in
        prof) ways 0 2 jump context jump:masked context:masked $(pick "" "return fault") ;;
        *) ways $number 3 context:masked jump context ;;
        esac
    )
    number=$((number + 1))
done

# Threads that all make such jumps; and a child, which reports only its own jumps.
cat >threads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
extern char victim[];
extern long by_jump(long target);
static char *volatile place = victim; /* no address behind it is computed */
static void *work(void *sum)
{
    for (long n = 0; n < 200; n++)
        *(long *)sum += by_jump((long)place + 4 + n % 3 * 4);
    return 0;
}
int main(int argc, char **argv)
{
    long sums[4] = {0};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, &sums[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
    fflush(stdout);
    if (argc > 1 && fork() == 0)
        return by_jump((long)place + 8);
    wait(0);
    return 0;
}
END
alpha threads threads.c "$tests/data/unforeseen.s" -pthread
instrument tool -t prof threads
observe threads
run_tool tool
check threads "diff expected found && grep -q ', 800 in all,' said &&
    bash '$tests/lib/counts.sh' prof oracle.txt prof.out threads '^(victim|by_jump|work)$'"
run_tool tool fork
check threads/fork "grep -q ', 1 in all,' said && grep -q ', 800 in all,' said" said

# With the address from the message, the program runs to its end, and its counts are exact.
for offset in $(pick 8 "4 8 12"); do
    kinds=("${!jump[@]}")
    for flags in "" --without=placement --poison --call=wrapper; do
        instrument tool -t prof $([ "$flags" ] && pick "" "-t audit" || echo "-t audit") \
            $flags "--landing=$(address plain victim "$offset")" plain
        for kind in $([ -z "$flags" ] && echo "${!jump[*]}" || pick "${kinds[0]}" "${!jump[*]}"); do
            observe plain "$kind" "$offset"
            ending found tool "$kind" "$offset"
            check "landing/$kind/$offset$flags" "diff expected found &&
                bash '$tests/lib/counts.sh' prof oracle.txt prof.out plain '^(main|by_.*|computed|victim)$'" found
        done
        kinds=("${kinds[@]:1}")
    done
done

# In partial copies the program continues, and a line reports it; all other procedures are counted exactly.
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
        for offset in $(pick "$([ "$kind" != jump ] || echo 0) 8" "0 4 8 12"); do
            # shellcheck disable=SC2046 # several words
            ending expected -L "$libraries" $([ $program = plain ] ||
                echo -singlestep -plugin "$oracle,out=oracle.txt,registers=on,cache=on") $program $kind $offset
            ending all.found -L "$libraries" $program.atom $kind $offset
            grep -v '^atomc: jumps came to places that were not foreseen, 1 in all, the first to 0x' all.found >found || true
            check "$program/$kind/$offset" "diff expected found"
            check "$program/$kind/$offset/said" "[ \$(grep -c '^atomc:' all.found) = $((offset > 0)) ]" all.found
            if [ $program = plain ]; then
                check "$program/$kind/$offset/counts" "[ \$(tail -n 1 victim.out) = $((offset == 0)) ]" victim.out
            else
                check "$program/$kind/$offset/counts" "bash '$tests/lib/counts.sh' prof oracle.txt prof.out $program '$own'"
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
    observe $program $words
    for flags in "" --without=placement; do
        instrument tool -t prof $flags $program
        ending found tool $words
        check "counts/$program$flags" "diff expected found &&
            bash '$tests/lib/counts.sh' prof oracle.txt prof.out $program $procedure"
    done
done < <(echo plain computed jump 0 && cat labels)

# Foreseen places in a locked sequence: actions that are deferred to its end count only for control that has passed
# their own place.
for linked in "alpha" "alpha -pthread" "shared"; do
    ${linked%% *} ways "$tests/data/locked_ways.c" "$tests/data/locked_ways.s" $([ "$linked" = "${linked% *}" ] || echo -pthread)
    edition=$linked
    observe -L $libraries ways
    for variant in prof "prof --without=placement" $(pick "" "audit"); do
        instrument tool -t $variant ways
        ending found -L $libraries -0 tool tool
        check "locked/${linked// /}/${variant// /}" "diff expected found &&
            bash '$tests/lib/counts.sh' ${variant%% *} oracle.txt ${variant%% *}.out ways '^(main|ways|into)\$'"
    done
done
# If such a place has a symbol of its own, it is an entry of the procedure, too.
cat >entered.atd <<'END'
# entered: the number of entries of a procedure, and the instructions of its blocks.
tool entered "entries beside blocks"
counter entered, ran
for p in procs where p.name like "ways*" { before p entered++ }
for b in blocks where b.proc.name like "ways*" { before b ran += b.ninsts }
report "-" "Entered" entered, "Ran" ran
END
alpha ways "$tests/data/locked_ways.c" "$tests/data/locked_ways.s"
for flags in "" --without=placement; do
    instrument tool $flags entered.atd ways
    check "locked/entered$flags" "[ \"\$(qemu tool | tail -n 1)\" = '20	110' ]"
done
