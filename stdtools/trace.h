/* trace.h: the interface between trace.c, the forms that are text, and trace_binary.c. */
#ifndef ATOMC_TRACE_H
#define ATOMC_TRACE_H

#include "table.h"

FILE *trace_file(const char *out); /* begins it */

#endif
