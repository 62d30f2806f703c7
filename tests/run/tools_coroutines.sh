# tools_coroutines: hiprof's tree, $stack and the tree of values -D callers with coroutines: for each call of leaf, the
# active procedures of the coroutine that the program itself records. The beginning of a stack does not depend on
# addresses.
cat >stacks.atd <<'END'
tool stacks "stacks"
counter at[string]
for p in procs where p.name == "leaf" { before p at[$stack]++ }
report "stacks.out" for row in at as row.key, "\t", row.count, "\n"
END
own() { # PATH<tab>TIMES, without the procedures that begin and switch a stack
    sed -E 's/^[^\t]*(__startcontext|start|begin|__libc_start_call_main|start_thread);//; s/^(proc_at_|[^;\t]*\+)0x[0-9a-f]*;//' |
        awk -F'\t' '$2 { n[$1] += $2 } END { for (k in n) print k "\t" n[k] }' | sort
}
for kind in alpha $(pick "" shared) threads; do
    case $kind in threads) alpha plain "$tests/tools/coroutines.c" -O1 -g -pthread -Wl,-u,pthread_create ;; *) $kind plain \
        "$tests/tools/coroutines.c" -O1 -g ;; esac
    qemu -L /usr/alpha-linux-gnu plain | sort >expected
    instrument instrumented stacks.atd plain && qemu -L /usr/alpha-linux-gnu instrumented | sort >found &&
        same $kind/plain expected found
    own <stacks.out >found
    same $kind/stack expected found
    for depth in 100 2; do
        instrument instrumented -t hiprof -D least=0 -D folded=true -D depth=$depth -t prof plain &&
            qemu -L /usr/alpha-linux-gnu instrumented >said
        check $kind/self-$depth "diff <(sed 's/.*;//' hiprof.out.folded |
            awk '{ sum[\$1] += \$2 } END { for (name in sum) print name, sum[name] }' | sort) \
            <(awk -F'\t' '/^0x/ { sum[\$4] += \$2 } END { for (name in sum) print name, sum[name] }' prof.out | sort)"
        [ $depth = 2 ] || grep ';leaf ' hiprof.out.folded | cut -d' ' -f1 | sed 's/$/\t1/' | own | cut -f1 >found
    done
    cut -f1 expected >paths
    same $kind/tree paths found
    instrument instrumented -t values -D operand=argument -D procedures=leaf -D callers=50 plain &&
        qemu -L /usr/alpha-linux-gnu instrumented >said
    ATOMC_FORMAT=csv qemu -L /usr/alpha-linux-gnu instrumented >said
    tr , '\t' <values.out.tree |
        awk -F'\t' 'NR > 1 { path[$1] = ($2 ? path[$2] ";" : "") $3 } $3 ~ /^[^a-z=]*= / { n[path[$2]] += $9 }
        END { for (k in n) print k "\t" n[k] }' |
        own >found
    same $kind/callers expected found
done
