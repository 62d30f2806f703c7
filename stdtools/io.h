/* io.h: data that io.c records and io_report.c writes. */
#ifndef IO_H
#define IO_H

struct file {
    char *name;
    long opens, reads, bytes_read, writes, bytes_written, seeks, closes, failed, nanoseconds;
};
extern struct file *files; /* files in the order of the program's first use */
extern int file_count;
extern int timed;  /* the calls' time is reported */
extern int forked; /* this process is a child: it has its own counts, for files that it has used */

#endif
