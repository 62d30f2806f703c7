# tools_leaving: hiprof, malloc, dynmem and third if threads leave procedures by exceptions and by longjmp
# (tests/tools/leaving.cc, whose loops have known counts): each thread's tree of calls, the procedures that free blocks,
# and blocks that are never freed.
source=$tests/tools/leaving.cc
rounds=$(pick 5 50)
# Number, bytes and line of the three sizes of blocks, in four threads.
n1=$((rounds * 20)) n2=$((rounds * 16)) n3=$((rounds * 4))
b1=$((3001 * n1)) b2=$((3002 * n2)) b3=$((3003 * n3))
read -r l1 l2 l3 < <(grep -n -F -e '3001]' -e 'malloc(3002)' -e 'malloc(3003)' "$source" | cut -d: -f1 | paste -s -d ' ')
{ # procedures called after a catch or setjmp are called by one_round; four threads have the same tree
    echo "4 work 1"
    printf "4 work/one_round%s $rounds\n" '' /throws /throws/throws /throws/throws/throws /throws/throws/throws/throws \
        /throws/throws/throws/throws/throws /jumps /jumps/jumps /jumps/jumps/jumps \
        /jumps/jumps/jumps/jumps /after_throw /after_jump
} | sort >hiprof.expected
printf '%s\n' "3001 3001 $n1 $b1" "3002 3002 $n2 $b2" "3003 3003 $n3 $b3" >malloc.expected
printf '%s\n' "$l1 $n1 $b1 $n1 0" "$l2 $n2 $b2 0 $n2" "$l3 $n3 $b3 $n3 0" | sort >dynmem.expected
for times in $rounds $((3 * rounds)); do # one_round is called by main and by three threads, and there are four depths
    for _ in 0 1 2 3; do echo "leak jumps $l2 $times $((3002 * times))"; done
done | sort >third.expected
rows() { # TOOL: rows of its report
    case $1 in
    hiprof) awk -f "$tests/tools/tree.awk" hiprof.out | sort ;;
    malloc) awk '$1 ~ /^300[123]$/ { print $1, $2, $3, $5 }' malloc.out ;;
    dynmem) awk -F'\t' '$2 ~ /leaving.cc:/ { sub(/.*:/, "", $2); print $2, $4, $5, $6, $8 }' dynmem.out | sort ;;
    third) awk -F'\t' 'NR > 1 { sub(/.*:/, "", $3); print $1, $2, $3, $4, $5 }' third.out | sort ;;
    esac
}

for level in $(pick O2 "O2 O0"); do
    alpha leaving "$source" "-$level" -g -pthread -DROUNDS="$rounds"
    for tool in "hiprof -D least=0" "malloc -D exact=true" dynmem third; do
        # shellcheck disable=SC2086
        instrument instrumented -t $tool leaving
        tool=${tool%% *}
        ending log instrumented
        rows "$tool" >found
        check "$tool/leaving-$level" "grep -q 'exit status 0' log && diff $tool.expected found" log
    done
done
