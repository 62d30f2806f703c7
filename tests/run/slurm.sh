# slurm: campaigns on a real Slurm cluster of two nodes in namespaces of its own, compared with processes here and GNU parallel.
# size: all
unshare --mount --pid --fork --uts --net true 2>refused ||
    { skipped cluster "namespaces are refused here, and Slurm is not tried: $(cat refused)" && exit 0; }
for program in slurmctld slurmd sbatch munged parallel bwrap; do
    command -v $program >/dev/null || { skipped cluster "$program is not installed, and Slurm is not tried" && exit 0; }
done

cat >walk.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int table[65536];
int main(int count, char **words) {
    long n = atol(words[1]), sum = 0;
    int c;
    while ((c = getchar()) != EOF) sum += c;
    for (long i = 0; i < n; i++) sum += table[(i * 97) & 65535]++;
    printf("%ld\n", sum);
    return count > 2;
}
END
cat >greedy.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(void) { for (int i = 0; i < 600; i++) memset(malloc(1 << 20), 1, 1 << 20); for (;;) ; }
END
cat >endless.c <<'END'
int main(void) { for (volatile long i = 0;; i++) ; }
END
alpha walk walk.c && alpha stroll walk.c -O1 && alpha greedy greedy.c && alpha endless endless.c
echo "some text" >text
cat >sizes.json <<'END'
{"campaign": "sizes",
 "programs": [{"path": "../walk", "inputs": [{"name": "none", "arguments": ["500"]},
     {"name": "text", "arguments": ["3000"], "input": "../text"}]},
              {"path": "../stroll", "inputs": [{"name": "none", "arguments": ["700"]},
                  {"name": "text", "arguments": ["4000"], "input": "../text"}]}],
 "tools": [{"name": "cache", "parameters": {"size": [4096, 8192, 16384, 32768, 65536], "ways": [1, 2]}}]}
END

# ---- the cluster ----------------------------------------------------------------------------------------------------

mkdir cluster apart
unshare --mount --pid --fork --uts --net --kill-child bash "$tests/slurm/cluster.sh" "$scratch/cluster" \
    "$scratch/apart" >cluster/log 2>&1 &
cluster=$!
trap 'kill -9 $cluster 2>/dev/null || true' EXIT
while :; do [ ! -e cluster/up ] || break; sleep 0.1; done
check cluster "grep -q two cluster/up" cluster/log
first=$(tr -d ' ' <"/proc/$cluster/task/$cluster/children")
inside() { # FOLDER COMMAND...: on the cluster's machine
    local folder=$1
    shift
    timeout -k 5 1500 nsenter --target "$first" --mount --pid --uts --net sh -c 'cd "$0" && exec "$@"' "$scratch/$folder" "$@"
}
rows() { # FOLDER: names and contents of all files of rows
    (cd "$1/runs" && find . -name '*.rows' -type f | sort | xargs sha256sum)
}
processes() { # the processes of runs, in the cluster
    inside . sh -c 'for task in /proc/[0-9]*; do tr "\0" " " <$task/cmdline; echo; done 2>/dev/null' |
        grep -E '^[^ ]*(qemu-alpha|atomc-job|atomc|bwrap) ' || true
}
states() { # FOLDER FILE: how many runs are in each
    inside "$1" "$ATOMC" campaign status "$2" --format=json | jq -r '.runs[] | "\(.state) \(.reason)"' | sort |
        uniq -c | sed 's/^ *//; s/ *$//'
}

# ---- the same results by three engines --------------------------------------------------------------------------------

for engine in local parallel slurm; do
    mkdir $engine && cp sizes.json $engine
done
"$ATOMC" campaign run local/sizes.json --jobs=2 >local.log 2>&1 || true
check local/all "grep -q '40 runs: 40 finished' local.log" local.log
"$ATOMC" campaign run parallel/sizes.json --engine=parallel --jobs=2 >parallel.log 2>&1 || true
check parallel/all "grep -q '40 runs: 40 finished' parallel.log" parallel.log
inside slurm "$ATOMC" campaign check sizes.json --engine=slurm >check.out 2>&1 || true
check slurm/check \
    "grep -q 'arrays of at most 8 tasks' check.out &&
        grep -q 'one run tried on slurmtest: finished, isolation sandbox' check.out" check.out
inside slurm "$ATOMC" campaign run sizes.json --engine=slurm --chunk=30 >slurm.log 2>&1 || true
check slurm/all "grep -q '40 runs: 40 finished' slurm.log && grep -q '40 runs in 14 tasks, 2 arrays' slurm.log" slurm.log
check slurm/accounting "grep -q 'tasks by jobcomp: COMPLETED 14' slurm.log" slurm.log
for engine in local parallel slurm; do rows $engine >$engine.rows; done
check rows "[ \$(wc -l <local.rows) = 40 ]" local.rows
same rows/parallel local.rows parallel.rows
same rows/slurm local.rows slurm.rows
inside slurm "$ATOMC" campaign run sizes.json --engine=slurm >again.log 2>&1 || true
check slurm/again "! grep -q tasks again.log && grep -q '40 runs: 40 finished' again.log" again.log

# ---- a node fails in the middle ---------------------------------------------------------------------------------------

whole() { # the complete runs that exist
    find broken/runs -name run.json ! -path '*.tmp/*' -printf '%p %i\n' 2>/dev/null | sort
}
mkdir broken
sed 's/"500"/"2000000"/; s/"700"/"2000000"/; s/"sizes"/"broken"/; s/, 32768, 65536//' sizes.json >broken/broken.json
inside broken "$ATOMC" campaign run broken.json --engine=slurm --chunk=30 --no-wait >broken.log 2>&1
while :; do
    [ "$(whole | wc -l)" -lt 5 ] || [ -z "$(inside . squeue -h -w two -t running)" ] || break
    sleep 0.1
done
inside broken "$ATOMC" campaign run broken.json --engine=slurm >twice.log 2>&1 || true
check broken/once "grep -q 'being made already' twice.log" twice.log
# The step dies with all that it holds, then the node is out.
cat >kill.sh <<'END'
for task in /proc/[0-9]*; do
    case $(tr '\0' ' ' <$task/cmdline) in "slurmstepd: "*) ;; *) continue ;; esac
    for child in $(cat $task/task/*/children); do
        if tr '\0' '\n' </proc/$child/environ | grep -q -x SLURMD_NODENAME=two; then kill -9 ${task#/proc/} && echo $task; fi
    done
done
END
inside . sh kill.sh >killed 2>/dev/null || true
check broken/killed "[ -s killed ]"
inside . scontrol update NodeName=two State=DOWN Reason=test
whole >before
check broken/down "inside . sinfo -h -n two -o %t | grep -q down"
sleep 3
inside . scontrol update NodeName=two State=RESUME || true
while :; do [ -n "$(inside . squeue -h)" ] || break; sleep 0.5; done
whole >between
inside broken "$ATOMC" campaign resume broken.json --engine=slurm >resumed.log 2>&1 || true
check broken/resumed "grep -q '24 runs: 24 finished' resumed.log" resumed.log
whole >after
check broken/kept \
    "[ -s before ] && [ \$(wc -l <before) -lt 24 ] && [ -z \"\$(comm -23 before after)\$(comm -23 between after)\" ]" between
check broken/remains "[ \$(ls broken/runs | wc -l) = 24 ]"
"$ATOMC" campaign collect broken/broken.json >first.log 2>&1 || true
"$ATOMC" campaign collect broken/broken.json >second.log 2>&1 || true
check broken/collected "grep -q '24 runs, 24 of them new, 0 missing' first.log && grep -q '24 runs, 0 of them new' second.log" \
    first.log

# ---- limits -------------------------------------------------------------------------------------------------------------

mkdir limits
cat >limits/limits.json <<'END'
{"campaign": "limits", "limits": {"seconds": 3, "memory_mb": 100}, "programs": [{"path": "../greedy"}, {"path": "../endless"}],
    "tools": [{"name": "prof"}]}
END
inside limits "$ATOMC" campaign run limits.json --engine=slurm >limits.log 2>&1 || true
states limits limits.json >found
printf '1 stopped memory\n1 stopped time\n' >expected
same limits/own expected found
# Slurm's own nodes: they have no file of the run.
sed 's/"memory_mb": 100/"memory_mb": 2000/; s/"seconds": 3/"seconds": 100/; s/, {"path": "..\/endless"}//; s/"limits",/"more",/' \
    limits/limits.json >limits/more.json
inside limits "$ATOMC" campaign run more.json --engine=slurm --slurm=--mem=60 >more.log 2>&1 || true
check limits/slurm-memory \
    "grep -q -i 'exceeded.*memory' limits/campaigns/more/slurm.out && grep -q 'tasks by jobcomp: [A-Z_]* 1' more.log &&
        grep -q '1 runs: 1 missing' more.log" limits/campaigns/more/slurm.out
check limits/nothing "[ -z \"\$(processes)\" ]"

# ---- stop ----------------------------------------------------------------------------------------------------------------

mkdir stopped
sed 's/"limits",/"stopped", "repeat": 6,/; s/"seconds": 3/"seconds": 200/; s/{"path": "..\/greedy"}, //' \
    limits/limits.json >stopped/stopped.json
inside stopped "$ATOMC" campaign run stopped.json --engine=slurm --chunk=5 --no-wait >stopped.log 2>&1
while :; do [ "$(processes | grep -c qemu-alpha)" -lt 2 ] || break; sleep 0.2; done
check stopped/running "[ \$(processes | grep -c qemu-alpha) -ge 2 ]"
inside stopped "$ATOMC" campaign stop stopped.json >stop.log 2>&1 || true
check stopped/stopped "grep -q stopped stop.log && [ -z \"\$(inside . squeue -h)\" ]" stop.log
check stopped/processes "[ -z \"\$(processes)\" ]"
states stopped stopped.json >found
printf '4 missing\n2 stopped cancelled\n' >expected
same stopped/states expected found

# ---- without a common folder ---------------------------------------------------------------------------------------------

cp walk stroll text apart
sed 's|\.\./||g; s|, 32768, 65536||; s|"sizes"|"carried"|' sizes.json >apart/carried.json
inside apart "$ATOMC" campaign check carried.json --engine=slurm --slurm=--nodelist=two >alone.log 2>&1 || true
check carried/refused "grep -q 'srun: ' alone.log && ! grep -q 'one run tried' alone.log" alone.log
inside apart "$ATOMC" campaign run carried.json --engine=slurm --carry --slurm=--nodelist=two >carried.log 2>&1 || true
check carried/all "grep -q '24 runs: 24 finished' carried.log" carried.log
rows apart >carried.rows
check carried/rows "[ \$(wc -l <carried.rows) = 24 ] && [ \$(comm -12 <(sort carried.rows) <(sort local.rows) | wc -l) = 24 ]" \
    carried.rows
check carried/remains "[ \$(ls apart/campaigns/carried/carry | wc -l) = 0 ] && [ -z \"\$(processes)\" ]"

touch cluster/down
wait $cluster || true
