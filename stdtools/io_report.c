/* io_report.c: the table of io.atd. */
#include <stdlib.h>
#include <string.h>

#include "io.h"
#include "table.h"

/* Sorted by bytes, descending; equal ones in the order of first use. */
static int by_bytes(const void *left, const void *right) {
    const struct file *a = *(const struct file *const *)left, *b = *(const struct file *const *)right;
    long first = a->bytes_read + a->bytes_written, second = b->bytes_read + b->bytes_written;
    return first != second ? (first < second) - (first > second) : (a > b) - (a < b);
}

void Print(const char *out) {
    const char *columns =
        "'File|#Opens|#Reads|#Bytes read|#Writes|#Bytes written|#Seeks|#Closes|#Failed|#Microseconds";
    char *shown = strndup(columns, timed ? strlen(columns) : strlen(columns) - strlen("|#Microseconds"));
    const struct file **sorted = malloc((file_count + 1) * sizeof *sorted);
    if (!shown || !sorted)
        abort();
    for (int i = 0; i < file_count; i++)
        sorted[i] = &files[i];
    qsort(sorted, file_count, sizeof *sorted, by_bytes);
    atomc_begin_table("io", out, shown);
    for (int i = 0; i < file_count; i++) {
        const struct file *file = sorted[i];
        if (forked && !(file->opens | file->reads | file->writes | file->seeks | file->closes | file->failed))
            continue;
        atomc_add_row((long)file->name, file->opens, file->reads, file->bytes_read, file->writes,
                      file->bytes_written, file->seeks, file->closes, file->failed, file->nanoseconds / 1000);
    }
    atomc_end_table();
    free(sorted);
    free(shown);
}
