# tools_totals: each total that a stock tool prints equals an independent count: the oracle's, a count replayed from its
# record, or a quotient of two such counts. The totals are found by running every stock tool, so that one that is not
# known here fails.
# shellcheck disable=SC2034,SC2154
. "$tests/lib/tools.sh"
gcc -O2 -include "$BUILD/tests/emulator/interface.h" -I"$top" -fPIC -shared "$top/tests/bench/plugins/predictor.c" -o 2bit.so

words=$hexadecimal'
    function bits(word, low, size) { return int(number(word) / 2 ^ low) % 2 ^ size }
    function is_store(o) { return o >= 13 && o <= 15 || o >= 36 && o <= 39 || o >= 44 && o <= 47 }
    function is_load(o) { return o >= 10 && o <= 12 || o >= 32 && o <= 35 || o >= 40 && o <= 43 }'

# The page's reports with `total`, one line each.
pages_totals() { # TOOL
    sed 's/#.*//' "$top/stdtools/$1.atd" |
        awk '/^report/ { if (has) n++; has = 0 } { gsub(/"[^"]*"/, "") } /(^| )total( |$)/ { has = 1 } END { print n + has }'
}
# The contents of a file, if it is a table: a line for each report with a total, TITLES, and for each of its columns,
# TITLE VALUE.
totals_of() { # FILE
    jq -r 'select(type == "object" and has("total")) | "= " + (.rows[0] | keys_unsorted | join(",")),
        (.total | to_entries[] | "\(.key)\t\(.value)")' "$1" 2>/dev/null
}
run_json() { # TOOL [OPTION...]
    "$ATOMC" -t "$@" "$program" -o instrumented >log 2>&1 || return 1
    run found instrumented -E ATOMC_FORMAT=json
}

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    static int numbers[300];
    unsigned seed = 7, sum = 0;
    for (int i = 0; i < 300; i++)
        numbers[i] = (seed = seed * 1103515245 + 12345) >> 16 & 1023;
    qsort(numbers, 300, sizeof *numbers, compare);
    char *text = malloc(4000);
    for (int i = 0; i < 300; i += 10)
        sum += numbers[i] / (i + 1) + (unsigned)sprintf(text + i, "%d %s", numbers[i], "words");
    printf("%u %zu\n", sum, strlen(text));
    free(text);
    return 0;
}
END
alpha program program.c -O2 -g
program=$scratch/program name=program arguments=() inputs='' standard_input=''
list_procedures
list_places blocks
# All runs have the same environment, on which counts depend.
run plain "$program" -E ATOMC_FORMAT=json -singlestep -plugin \
    "$oracle,out=$scratch/counts,registers=on,values=on,execution=$scratch/record"
for mode in arcs edges; do
    "$BUILD/tests/replay" $mode procedures=procedures <record >$mode
done
"$BUILD/tests/replay" values kind=repeated <record >repeated
rm record
run predicted "$program" -E ATOMC_FORMAT=json -plugin "$scratch/2bit.so,out=$scratch/predictor.txt"

declare -A expected
say() { # COLUMN COMMAND...: the meaning of the total in the column TOOL.TITLE, or FILE.TITLE
    expected[$1]=$("${@:2}")
}
instructions() { sed -n 's/^# instructions //p' counts; }
count_words() { awk -F'\t' "$words /^0x/ && ($1) { n += \$3 } END { printf \"%.0f\\n\", n }" counts; }
taken() { awk -F'\t' -v column="$1" '/^0x/ { n += $column } END { printf "%.0f\n", n }' predictor.txt; }
issued() { awk -f "$tests/oracle/ev4.awk" blocks text counts |
    awk -F'\t' -v column="$1" '{ n += $column } END { printf "%.0f\n", n }'; }
alpha-linux-gnu-objdump -d --no-show-raw-insn "$program" >text
for tool in prof iprof pipe dyninst pixie; do say "$tool.Instructions" instructions; done
say iprof.Calls awk -F'\t' '$1 == "arc" { n += $4 } END { printf "%.0f\n", n }' arcs
expected["iprof.Per call"]=$((expected[iprof.Instructions] / expected[iprof.Calls]))
say callgraph.Calls awk -F'\t' '{ n += $2 } END { printf "%.0f\n", n }' edges
say dyninst.Blocks awk -F'\t' 'NR == FNR { executed[$1] = $3; next } { n += executed[$1] } END { printf "%.0f\n", n }' counts \
    blocks
say dyninst.Loads count_words 'is_load(bits($2, 26, 6)) && bits($2, 21, 5) != 31'
say dyninst.Stores count_words 'is_store(bits($2, 26, 6))'
say dyninst.Calls count_words 'bits($2, 26, 6) == 52 || bits($2, 26, 6) == 26 && bits($2, 14, 1) == 1'
say branch.Taken taken 2
say "branch.Not Taken" taken 3
say branch.Mispredicted awk '/^mispredictions/ { print $2 }' predictor.txt
sum() { awk -F'\t' -v column="$1" '{ n += $column } END { printf "%.0f\n", n }' "${@:2}"; }
share() { awk -v part="$1" -v whole="$2" 'BEGIN { printf "%.2f\n", 100 * part / whole }'; }
# audited includes stores: they are reported, and have a separate column.
audited counts >held
awk -F'\t' '/^0x/ && $8 != "-"' counts | cut -f1 | sort >stores
join -t$'\t' held stores >silent
join -t$'\t' -v 1 held stores >loads
say audit.Executed sum 2 loads
say "audit.In register" sum 3 loads
say audit.Redundant sum 3 repeated
say "audit.In register %" share "${expected["audit.In register"]}" "${expected[audit.Executed]}"
say "audit.Redundant %" share "${expected[audit.Redundant]}" "${expected[audit.Executed]}"
say audit.out.stores.Executed sum 2 silent
say audit.out.stores.Silent sum 3 silent
say "audit.out.stores.Silent %" share "${expected[audit.out.stores.Silent]}" "${expected[audit.out.stores.Executed]}"
say pipe.Cycles issued 3
say pipe.Stalls issued 4
say pipe.CPI awk -v cycles="${expected[pipe.Cycles]}" -v instructions="${expected[pipe.Instructions]}" \
    'BEGIN { printf "%.2f\n", cycles / instructions }'
say "branch.Mispredicted %" share "${expected[branch.Mispredicted]}" $((expected[branch.Taken] + expected["branch.Not Taken"]))

tools=0 totals=0
for tool in $("$ATOMC" --list --json | jq -r '.tools[].name'); do
    tools=$((tools + 1))
    # Tools without a total in their page are run by check-all only.
    [ "$SIZE" = all ] || [ "$(pages_totals "$tool")" != 0 ] || continue
    : >found.totals
    # With defaults, with all options, and without optional parts.
    mapfile -t spared < <("$ATOMC" --help "$tool" --json |
        jq -r '.tools[0].parameters[] | select(.type == "boolean" and .default == true) | "-D", .name + "=false"')
    mapfile -t asked < <("$ATOMC" --help "$tool" --json |
        jq -r '.tools[0].parameters[] | select(.type == "boolean") | "-D", .name + "=true"')
    [ "$tool" != branch ] || asked+=(-D predictor=2bit)
    for way in default all least; do
        options=("$tool")
        case $way in
        all) options+=("${asked[@]}") ;;
        least) options+=("${spared[@]}") ;;
        esac
        [ $way = default ] || [ ${#options[@]} -gt 1 ] || continue
        run_json "${options[@]}" || { failed "$tool/$way" "not instrumented, or no run" log && continue; }
        for file in found/files/*; do
            totals_of "$file" >totals || true
            cat totals >>found.totals
            while IFS=$'\t' read -r title value; do
                case $title in "= "*) continue ;; esac
                totals=$((totals + 1))
                right=${expected["${file##*/}.$title"]-${expected["$tool.$title"]-not known}}
                [ "$title" != Percent ] || right=100.00
                awk -v a="$value" -v b="$right" 'BEGIN { exit !(b != "not known" && a + 0 == b + 0) }' ||
                    failed "$tool/$way/$title" "the total is $value; independently it is $right"
            done <totals
        done
    done
    check "$tool/reports" "[ $(grep '^= ' found.totals | sort -u | wc -l) = $(pages_totals "$tool") ]" found.totals
done
check tools "[ $tools -ge 30 ] && [ $totals -ge 30 ]"
