/* finish.c: the results of a program that has ended: the calls after it, and reports. Runs on the private
   stack with the private thread pointer. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/commands/commands.h"
#include "runtime/counts/counts.h"
#include "runtime/process/process.h"
#include "runtime/report/report.h"
#include "runtime/text/text.h"

static void (*writers[8])(void);
static unsigned writer_count;

void atomc_before_fork(void (*write)(void)) {
    if (writer_count == sizeof writers / sizeof *writers)
        abort();
    writers[writer_count++] = write;
}

void atomc_flush(void) {
    for (unsigned i = 0; i < writer_count; i++)
        writers[i]();
    atomc_write_pending();
    fflush(NULL);
}

static void add_promoted_sums(void) {
    const struct atomc_sum *sums = (const struct atomc_sum *)atomc_image.sums;
    for (uint64_t i = 0; i < atomc_image.sum_count; i++) {
        *(long *)sums[i].address += ((long *)atomc_image.cells)[sums[i].cell];
        ((long *)atomc_image.cells)[sums[i].cell] = 0;
    }
}

static void finish_reports(void) {
    atomc_return_to_directory();
    atomc_report_libraries();
    atomc_report_text();
    atomc_settle_counts(&atomc_image);
    atomc_subtract_before_fork(&atomc_image);
    add_promoted_sums();
    atomc_after_libraries();
    atomc_make_calls(atomc_image.after, atomc_image.after_count);
    atomc_report_prints();
    atomc_report_keys();
    atomc_write_reports(&atomc_image);
    atomc_write_pending(); /* the rest of an unfinished table */
    atomc_name_shown();
}

long atomc_exit_status = -1; /* stdtools/addresses.h */

void atomc_after_program(long status) {
    finish_reports();
    exit(atomc_exit_status >= 0 ? atomc_exit_status : status);
}

void atomc_after_signal(long signal) {
    (void)signal;
    finish_reports();
    fflush(NULL);
}
