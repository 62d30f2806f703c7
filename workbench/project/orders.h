/* orders.h: the rows of a large table in a requested order, so that each page costs the same, the last like
   the first. */
#ifndef ATOMC_WORKBENCH_ORDERS_H
#define ATOMC_WORKBENCH_ORDERS_H

#include "workbench/project/tables.h"

/* A page of rows. */
struct page {
    int64_t offset, limit;
    uint64_t steps; /* steps of SQLite's machine so far: the cost of computing the page */
};

/* Writes a page of the table's rows, separated by commas; returns false after an error of the store. */
bool orders_write_page(struct request *request, struct table *table, const struct rows_wanted *wanted,
                       struct page *page, FILE *stream);
/* Steps the statement, finalizes it, and counts its steps. */
void page_end(struct page *page, sqlite3_stmt *statement);

#endif
