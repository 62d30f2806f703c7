/* page_made.h: from page_made.c to the pages of tools that include page.inc. */
#ifndef ATOMC_PAGE_MADE_H
#define ATOMC_PAGE_MADE_H

#include "page.h"

extern struct page_procedure *made_procedures; /* indexed by number; empty unless a page is requested */
extern int made_procedure_count;
extern struct page_call *made_calls;
extern int made_call_count;

#endif
