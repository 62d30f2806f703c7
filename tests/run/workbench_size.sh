# workbench_size: a large program in C++, with debug information: it is opened, its procedures are listed and searched,
# one is disassembled, and the program is instrumented, run, and its results are read. During this the server's memory
# is limited, and it is small afterwards. Times are printed only, because they vary with other work of the machine.
. "$tests/lib/workbench.sh"
parts=$(pick 2000 30000) files=$(pick 2 8)
mkdir source
for file in $(seq "$files"); do
    awk -v file="$file" -v files="$files" -v parts="$parts" 'BEGIN {
        print "namespace works { struct part { virtual long step(long n) const = 0; };"
        print "template <int N> struct numbered : part { long step(long n) const override; long turn(long n, long m) const; };"
        print "template <int N> __attribute__((noinline)) long numbered<N>::turn(long n, long m) const {\n    long sum = N;\n    for (long i = 0; i < n % 3; i++)\n        sum += i % 2 ? sum * m : sum - N;\n    return sum;\n}"
        print "template <int N> __attribute__((noinline)) long numbered<N>::step(long n) const {\n    long sum = n < N ? turn(n, N) : turn(N, n);\n    switch (n & 7) {\n    case 0: sum += 3; break;\n    case 1: sum *= 5; break;\n    case 2: sum ^= N; break;\n    case 3: sum -= n; break;\n    case 4: sum |= 1; break;\n    case 5: sum += n / 7; break;\n    }\n    return sum;\n}"
        for (i = file; i <= parts; i += files) printf "template struct numbered<%d>;\n", i
        printf "}\nlong steps_%d(long n) {\n    long sum = 0;\n", file
        for (i = file; i <= parts; i += files) if (i % 10 == 0 ||
            i == 1) printf "    sum += works::numbered<%d>().step(n + %d);\n", i, i
        print "    return sum;\n}" }' >"source/steps_$file.cpp"
done
awk -v files="$files" 'BEGIN { print "#include <iostream>\n#include <vector>";
    for (i = 1; i <= files; i++) printf "long steps_%d(long n);\n", i
    print "int main() {\n    std::vector<long> sums;";
        for (i = 1; i <= files; i++) printf "    sums.push_back(steps_%d(%d));\n", i, i
    print "    long all = 0;\n    for (long sum : sums)\n        all ^= sum;\n    std::cout << all << std::endl;\n}" }' \
        >source/main.cpp
for file in source/*.cpp; do echo "$file"; done | xargs -P 2 -I {} alpha-linux-gnu-g++ -O1 -g1 -c {} -o {}.o
alpha-linux-gnu-g++ -static -Wl,--no-relax source/*.o -o large
size=$(stat -c %s large)
echo "# $((size / 1000)) kB, of which text $(alpha-linux-gnu-size large |
    awk 'NR == 2 { print int($1 / 1000) }') kB; load $(cut -d' ' -f1 /proc/loadavg)"
check size "[ $size -gt $(pick 1000000 10000000) ]"

workbench project
memory() { # FIELD: in kB
    awk -v field="$1:" '$1 == field { print $2 }' "/proc/$workbench_process/status"
}
timed() { # WHAT COMMAND: the command's output in `answer.WHAT`
    local begun
    begun=$(date +%s%N)
    eval "$2" >"answer.$1"
    echo "# $1: $((($(date +%s%N) - begun) / 1000000)) ms; RssAnon $(memory RssAnon) kB, greatest VmHWM $(memory VmHWM) kB"
}
timed open "post /programs '{\"path\":\"$scratch/large\"}'"
check open "jq -e '.id == 1 and .is_static' answer.open" answer.open
timed list "get '/programs/1/procedures?sort=-size&limit=200'"
check list "jq -e '.total > 2 * $parts and (.rows | length) == 200' answer.list" answer.list
timed again "get '/programs/1/procedures?sort=name&offset=$parts&limit=200'"
check again "jq -e '.rows | length == 200' answer.again" answer.again
timed search "get '/programs/1/procedures?find=works::numbered%3C$parts%3E::step'"
check search "jq -e '.shown == 1 and (.rows[0].demangled | test(\"numbered<$parts>::step\"))' answer.search" answer.search
pc=$(jq -r '.rows[0].pc' answer.search)
timed disassembly "get /programs/1/procedures/$pc"
check disassembly "jq -e '(.blocks | length) > 5 and (.instructions | length) > 20 and (.instructions[0].file |
    test(\"steps_\"))' answer.disassembly" answer.disassembly
timed run \
    "post /runs '{\"program\":{\"path\":\"$scratch/large\"},\"tools\":[{\"name\":\"prof\"},{\"name\":\"branch\"}]}' >posted &&
        until_run 1"
check run "[ \$(cat answer.run) = finished ]" posted
timed tables "get /runs/1/tables"
table=$(jq '.tables[] | select(.tool == "branch").id' answer.tables | head -n 1)
timed rows "get '/tables/$table/rows?sort=-1&limit=100'"
check rows "jq -e '.rows | length == 100' answer.rows" answer.rows
timed counts "get '/programs/1/procedures?run=1&limit=100'"
check counts "jq -e '.rows[0].count > 0 and .whole == .sum' answer.counts" answer.counts
timed annotation "get '/runs/1/annotation?procedure=$pc'"
timed places "post /programs/1/places '{}'"
check places "jq -e '.instructions > $parts * 30' answer.places" answer.places
timed question \
    "jq -n '{text: \"SELECT place.line, sum(b.\\\"Taken\\\") FROM \\\"branch branch.out 1\\\" AS b JOIN place ON place.run = b.run AND place.pc = b.\\\"PC\\\" GROUP BY 1\"}' | answer POST /api/v1/sql -d @-"
check question "jq -e '.rows | length > 5' answer.question" answer.question
sleep 1
check memory/afterwards "[ $(memory RssAnon) -lt 20000 ]" "/proc/$workbench_process/status"
check memory/greatest "[ $(memory VmHWM) -lt $(pick 60000 200000) ]" "/proc/$workbench_process/status"
kill "$workbench_process"
