# rows_at_once: rows that an analysis routine adds one by one or in one call are written in the same way, in each
# format, for all contents; they are in order with other output, and are written one time, although the process forks in
# between.
cat >tool.atd <<'EOT'
tool rows "rows one by one or at once"
analysis "tool.c"
counter entered
before program call Begin()
for p in proc where p.name == "step" {
    before p entered++
    before p call Step()
}
after program call End()
on signal "USR1" report "passed.out" "Passed" entered
EOT
cat >tool.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>

#include "atomc.h"
#include "table.h"

enum { VALUES = 39, COLUMNS = 6 };
static char text[64] __attribute__((aligned(8)));
static const char *const texts[] = {"", "a", "seven77", "eight888", "nine99999", "a text of more words than one",
    "tab\there", "line\nhere", "comma, here", "quote \" here", "\001control",
        "\303\244\303\266\303\274 in UTF-8", "\377 in none"};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Around the limits of numbers that are written by words. */
static long number(int i) {
    static const long powers[] = {1, 10, 100, 1000, 9999999, 10000000, 99999999, 100000000, 999999999999999, 1000000000000000,
                                  9999999999999999, 10000000000000000, 1000000000000000000};
    return i % 3 == 0 ? powers[i / 3] : i % 3 == 1 ? -powers[i / 3] : powers[i / 3] + 12345 * i;
}

static void rows(const char *file, int at_once) {
    long columns[COLUMNS][VALUES];
    const long *these[COLUMNS];
    atomc_begin_table("rows", file, "'Text|@Address|#Number|=Line|.Hundredths|%Share:Number/Line|'Last");
    for (int i = 0; i < VALUES; i++) {
        const long row[COLUMNS] = {(long)texts[i % TEXTS], 0x120000000 + 0x10001l * i, number(i), i + 1, number(VALUES - 1 - i),
                                   i % 5 ? (long)texts[(i + 3) % TEXTS] : 0};
        for (int c = 0; c < COLUMNS; c++)
            columns[c][i] = row[c];
        if (!at_once)
            atomc_add_row(row[0], row[1], row[2], row[3], row[4], row[5]);
    }
    for (int c = 0; c < COLUMNS; c++)
        these[c] = columns[c];
    if (at_once)
        atomc_add_rows(VALUES, these);
    atomc_add_rows(0, these);
    atomc_end_table();
}

/* As the C library writes numbers; the text has what breaks a line as blanks. */
static void write_expected(void) {
    FILE *file = atomc_begin_file("expected.out");
    for (int i = 0; i < VALUES; i++) {
        for (const char *at = texts[i % TEXTS]; *at; at++)
            if (*at == '\t' || *at == '\n')
                putc(' ', file);
            else if ((unsigned char)*at < ' ' || *at == 127)
                fprintf(file, "\\x%02x", *at); /* control characters are shown */
            else
                putc(*at, file);
        fprintf(file, "\t0x%lx\t%ld\t%d\t%s%ld.%02ld\n", 0x120000000 + 0x10001l * i, number(i), i + 1,
                number(VALUES - 1 - i) < 0 ? "-" : "", labs(number(VALUES - 1 - i)) / 100, labs(number(VALUES - 1 - i)) % 100);
    }
    atomc_end_file();
}

void Begin(void) {
    write_expected();
    rows("single.out", 0);
    rows("once.out", 1);
    atomc_begin_table("rows", "-", "#Number|'Text");
    for (long i = 0; i < 3; i++) {
        const long numbers[2] = {i, i}, names[2] = {(long)text, (long)"here"};
        const long *const columns[2] = {numbers, names};
        sprintf(text, "text %ld", i);
        atomc_add_row(i, (long)text);
        printf("said %ld\n", i);
        atomc_add_rows(2, columns);
    }
    atomc_end_table();
    atomc_begin_table("rows", "steps.out", "#Step|'Text");
}

void Step(void) {
    static long step;
    sprintf(text, "step %ld of some", ++step);
    atomc_add_row(step, (long)text);
}

void End(void) {
    atomc_end_table();
}
EOT
cat >program.c <<'EOT'
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static __attribute__((noinline)) void step(void) { __asm__ volatile(""); }
int main(void) {
    step();
    raise(SIGUSR1);
    step();
    if (fork() == 0) {
        step();
        _exit(0);
    }
    wait(NULL);
    step();
    puts("done");
    return 0;
}
EOT
alpha program program.c
instrument instrumented tool.atd program
for format in text table csv json rows; do
    mkdir $format
    (cd $format && ATOMC_FORMAT=$format ending log ../instrumented)
    if [ $format = rows ]; then
        check $format \
            "[ \"\$(tail -n +2 rows/rows.1.rows)\" = \"\$(tail -n +2 rows/rows.2.rows)\" ] &&
                [ \$(wc -l <rows/rows.1.rows) = 41 ]"
    else
        sed -i 's/once.out/single.out/' $format/once.out
        check $format "cmp $format/single.out $format/once.out && [ \$(wc -l <$format/once.out) -gt 38 ]"
    fi
done
check numbers "[ \$(wc -l <text/expected.out) = 39 ] && tail -n +2 text/single.out | cut -f 1-5 | cmp - text/expected.out"
prints order grep -v '^atomc' text/log <<'END_OF_ORDER'
Number	Text
0	text 0
said 0
0	text 0
0	here
1	text 1
said 1
1	text 1
1	here
2	text 2
said 2
2	text 2
2	here
done
exit status 0
END_OF_ORDER
prints steps tail -n 5 text/steps.out <<'END_OF_STEPS'
Step	Text
1	step 1 of some
2	step 2 of some
3	step 3 of some
3	step 3 of some
END_OF_STEPS
