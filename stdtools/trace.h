/* trace.h: the interface between trace.c, the forms that are text, and trace_binary.c. */
#ifndef ATOMC_TRACE_H
#define ATOMC_TRACE_H

#include "table.h"

void tell_trace(void);             /* how it is read */
FILE *trace_file(const char *out); /* begins it */

#endif
