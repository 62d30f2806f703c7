/* configuration.h: a line that describes the simulated cache: two results belong to the same cache if their
   lines are equal. */
#ifndef ATOMC_CONFIGURATION_H
#define ATOMC_CONFIGURATION_H

#include <stdio.h>

#include "table.h"

struct configuration {
    char text[200];
    int length;
};

static inline __attribute__((format(printf, 2, 3))) void configure(struct configuration *all,
                                                                   const char *format, ...) {
    __builtin_va_list values;
    __builtin_va_start(values, format);
    int room = (int)sizeof all->text - all->length;
    int length = vsnprintf(all->text + all->length, (unsigned long)room, format, values);
    __builtin_va_end(values);
    all->length += length < room ? length : room - 1;
}

/* 65536: 64 KB */
static inline void configure_size(struct configuration *all, long bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
        configure(all, "%ld MB", bytes >> 20);
    else if (bytes >= 1 << 10 && bytes % (1 << 10) == 0)
        configure(all, "%ld KB", bytes >> 10);
    else
        configure(all, "%ld bytes", bytes);
}

/* With one line or page in a set, there is no choice of replacement. */
static inline void configure_sets(struct configuration *all, long set_ways, long entries) {
    if (set_ways == 1)
        configure(all, ", direct-mapped");
    else if (set_ways == 0 || set_ways == entries)
        configure(all, ", fully associative, LRU");
    else
        configure(all, ", %ld-way, LRU", set_ways);
}

static inline void configure_cache(struct configuration *all, long bytes, long line_bytes, long set_ways) {
    configure_size(all, bytes);
    configure(all, ", %ld-byte lines", line_bytes);
    configure_sets(all, set_ways, bytes / line_bytes);
}

static inline void configure_pages(struct configuration *all, long entries, long page_bytes, long set_ways) {
    configure(all, "%ld pages of ", entries);
    configure_size(all, page_bytes);
    configure_sets(all, set_ways, entries);
}

#endif
