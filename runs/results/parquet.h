/* parquet.h: rows as a file of Apache Parquet (https://parquet.apache.org/docs/file-format/), which
   DuckDB reads, for instance. Texts are UTF-8, integers INT64, addresses unsigned INT64, reals DOUBLE; each
   may be missing. Values are stored plain, compressed by gzip, in groups of 65,536 rows; a group is in memory
   until it is written. */
#ifndef ATOMC_RESULTS_PARQUET_H
#define ATOMC_RESULTS_PARQUET_H

#include "runs/results/rows.h"

struct parquet;
/* The columns' titles and types are copied; two columns should not have one title. */
struct parquet *parquet_begin(FILE *stream, const struct row_column *columns, uint32_t column_count);
void parquet_row(struct parquet *parquet, const struct cell *cells);
/* Writes the rest, and releases the writer. The caller asks the stream for errors. */
void parquet_end(struct parquet *parquet);

#endif
