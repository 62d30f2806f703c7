# rows: files of rows of all stock tools: they are complete, values have the types of their columns, and they equal the
# text reports, row by row, and so do sums; output that otherwise is written to standard output and error is in files;
# each process has its own files.
cp "$top/docs/examples/primes.c" .
cat >busy.c <<'END2'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct node { struct node *next; long key; double weight; };
static long compare(const void *a, const void *b) { return *(const long *)a - *(const long *)b; }
static int order(const void *a, const void *b) { long d = compare(a, b); return d < 0 ? -1 : d > 0; }
__attribute__((noinline)) struct node *push(struct node *list, long key) {
    struct node *node = malloc(sizeof *node + key % 7 * 8);
    *node = (struct node){list, key, key / 3.0};
    return node;
}
int main(int count, char **words) {
    long keys[300], sum = 0;
    struct node *list = 0;
    for (int i = 0; i < 300; i++) { keys[i] = i * 7919L % 1009; list = push(list, keys[i]); }
    qsort(keys, 300, sizeof *keys, order);
    for (struct node *at = list; at; at = at->next) sum += at->key ^ (long)at->weight;
    while (list) { struct node *next = list->next; if (list->key % 3) free(list); list = next; }
    FILE *file = fopen("busy.c", "r");
    char line[100];
    while (file && fgets(line, sizeof line, file)) sum += strlen(line);
    if (count > 1) { if (fork() == 0) { sum += (long)push(0, 5) != 0; _exit(0); } wait(0); }
    printf("%ld\n", sum);
    return 0;
}
END2
# Linked dynamically, and instrumented alone: nothing here is about the C library. Some tools need its procedures.
for program in primes busy; do
    shared $program $program.c -g
    alpha $program.whole $program.c -g
done
export QEMU_LD_PREFIX=/usr/alpha-linux-gnu
in_environment() { # NAME=VALUE... PROGRAM...: all names have one length, because the name is on the stack
    env -i QEMU_LD_PREFIX=$QEMU_LD_PREFIX "$@"
}

# Options by which tools write tables that they do not write otherwise.
options_of() { # TOOL
    case $1 in
    cache) echo -D lines=true ;;
    coverage) echo -D tables=true ;;
    pixie) echo -D procedures=true -D lines=true ;;
    esac
}

# read_rows FILE: its report, in the variable of that name; in files, the titles and types of its visible columns, and
# its rows as in the text, real numbers as #; in `wrong` incomplete rows, and values whose type is not that of their
# column. One jq for all of it: to start it takes longer than to read the file. Integers of 16 digits or more go through
# it as text that begins with an `@`: its numbers are not exact.
read_rows() {
    sed -E 's/([[,])(-?[0-9]{16,})/\1"@\2"/g' "$1" | jq -r -s '
        def long: type == "string" and test("^@-?[0-9]{16,}$");
        .[0].columns as $columns | .[0].top as $top |
        [range($columns | length) | select($columns[.].hidden | not)] as $shown |
        "report \(.[0].report)",
        "titles \([$shown[] | $columns[.].title] | join("\t"))",
        "types \([$shown[] | $columns[.].type] | join(" "))",
        (if .[0].rows == 1 and (.[-1] | type == "object" and .end) and
            .[-1].rows == length - 2 then empty else "wrong it is not whole" end),
        (.[1:-1][] | . as $row | range($columns | length) | . as $i | $columns[$i] as $column | $row[$i] |
            select((. == null and $column.role != "measure" or
                ($column.type == "integer" and (long or type == "number" and floor == .)) or
                ($column.type == "real" and type == "number") or
                ($column.type == "address" and type == "string" and test("^0x[0-9a-f]+$")) or
                ($column.type == "text" and type == "string" and (long | not))) | not) | "wrong \(.)"),
        ((.[1:-1] | if $top then .[:$top] else . end)[] | . as $row | [$shown[] | . as $i | $row[$i] |
            if . == null then "-" elif $columns[$i].type == "address" and . == "0x0" then ""
            elif $columns[$i].type == "real" then "#" elif long then .[1:] else tostring end |
            gsub("[\t\n\r]"; " ")] | "row \(join("\t"))")' >read
    report=$(sed -n 's/^report //p' read)
    sed -n 's/^titles //p' read >titles
    sed -n 's/^types //p' read >types
    sed -n 's/^row //p' read >found
    sed -n "s|^wrong |$1: |p" read >>wrong
}
# table_in FILE: the rows of the text's table with those titles and types, without sums
table_in() {
    awk -F'\t' -v titles="$(cat titles)" -v real="$(cat types)" '
        BEGIN { n = split(real, type, " ") }
        $0 == titles { inside = 1; next }
        inside && (NF != n || $0 == "") { exit }
        inside && $1 != "total" {
            line = ""
            for (i = 1; i <= n; i++) line = line (i > 1 ? "\t" : "") ((type[i] == "real" && $i != "-") ? "#" : $i)
            print line
        }' "$1"
}

for program in $(pick busy "busy primes"); do
    for tool in $("$ATOMC" --list --json | jq -r '.tools[] | select(.package == "") | .name'); do
        # shellcheck disable=SC2046
        "$ATOMC" --objects=main -t $tool $(options_of $tool) $program -o instrumented >log 2>&1 ||
            "$ATOMC" -t $tool $(options_of $tool) $program.whole -o instrumented >log 2>&1
        rm -rf text rows
        mkdir text
        in_environment ATOMC_FORMAT=text ATOMC_OUT=text "$QEMU" -seed 1 instrumented >text/stdout 2>text/stderr || true
        case $tool in gprof | hiprof) # the text is a page for people
            in_environment ATOMC_FORMAT=csv ATOMC_OUT=text/ "$QEMU" -seed 1 instrumented >text/stdout 2>text/stderr || true
            for file in text/*; do tr , '\t' <"$file" >log && cp log "$file"; done ;;
        esac
        in_environment ATOMC_FORMAT=rows ATOMC_OUT=rows "$QEMU" -seed 1 instrumented >out 2>err || true
        : >wrong # with names of one length, because the environment is on the stack
        for file in rows/*.rows; do
            [ -e "$file" ] || break
            read_rows "$file"
            case $report in -) report=stdout ;; esac
            grep -q -x -F -f titles "text/$report" 2>log || echo "$report has no such table" >>wrong
            table_in "text/$report" >expected
            if [ $tool = values ]; then # the library's allocator loads a random number
                for side in found expected; do grep '\.c:' $side >log && cp log $side; done
            fi
            if [ -s found ] || [ -s expected ]; then
                diff expected found >log || { echo "$file, $report:"; head -5 log; } >>wrong
            fi
            echo "$tool $report" >>compared
        done
        check $program/$tool "[ ! -s wrong ] && { [ -e rows ] || ls text/* >log; }" wrong
    done
done
# Without tools that write traces, or nothing.
check compared "[ \$(cut -d' ' -f1 compared | sort -u | wc -l) = 27 ]" compared

# Output that otherwise is written to standard output and error; and each process: a child counts from the fork on.
cat >named.atd <<'END2'
tool named
counter n
for p in procs where p.name == "push" { before p n++ }
report "-" "Pushed" n
report "stderr" "Pushed again" n
report "n.out" "Pushed" n
END2
"$ATOMC" named.atd busy -o instrumented
in_environment ATOMC_FORMAT=rows ATOMC_OUT=each/%p "$QEMU" -seed 1 instrumented x >out 2>err
check processes "[ \$(ls each | wc -l) = 2 ] && [ \$(ls each/*/named.[123].rows | wc -l) = 6 ] &&
    [ \$(wc -l <out) = 1 ] && [ ! -s err ] &&
    [ \"\$(cat each/*/*.rows | jq -c arrays | sort | tr '\\n' ' ')\" = '[1] [1] [1] [300] [300] [300] ' ] ||
    { cat each/*/*.rows; false; }" err
# Each truncation of a file of the runtime is refused.
file=$(ls each/*/named.1.rows | head -1)
bytes=$(stat -c %s "$file")
for length in $(seq 0 "$(pick 97 1)" $((bytes - 1))); do
    head -c $length "$file" >cut.rows
    "$ATOMC" merge cut.rows >out 2>log && echo "$length bytes are taken"
    grep -q '^cut.rows\|error' log || echo "$length bytes: no message"
done >wrong
check truncations "[ $bytes -gt 300 ] && [ ! -s wrong ] && '$ATOMC' merge '$file' >log" wrong
