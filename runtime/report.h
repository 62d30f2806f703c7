/* report.h: counters' cells at the start of the program, and the reports after it.
   Requires the tables that interface.h describes; nothing of Alpha, so that it is tested on the host. */
#ifndef ATOMC_RUNTIME_REPORT_H
#define ATOMC_RUNTIME_REPORT_H

#include "interface.h"

/* Before the program: gives cells their initial values, remembers where report files go. */
void atomc_prepare_reports(const struct atomc_image *image);
/* After the program, as often as it ends (each process after a fork). Errors are said on standard error. */
void atomc_write_reports(const struct atomc_image *image);

#endif
