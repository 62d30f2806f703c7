/* buffer.h: a translation buffer: the most recently used pages, in sets. The common case is handled at the
   site: the page used last changes nothing; a page that is found in the table gets a new time. */
#ifndef ATOMC_BUFFER_H
#define ATOMC_BUFFER_H

#include "lru.h"

#define NO_PAGE (~0ul)
enum { CHAINS = 1024 };

struct translation {
    unsigned long page, used; /* used: time of the last use, 0 if the slot has no page yet */
    struct translation *next; /* next in its chain: the numbers of its pages have the same low bits */
};
struct buffer {
    unsigned long last, clock, sets, ways;
    struct translation *translations;   /* sets * ways */
    struct translation *chains[CHAINS]; /* the most recently found page is the first */
};

/* ways 0: all are in one set. */
static inline void make_buffer(struct buffer *buffer, unsigned long entries, unsigned long ways) {
    buffer->last = NO_PAGE;
    buffer->ways = ways ? ways : entries;
    buffer->sets = entries / buffer->ways;
    buffer->translations = zeroed(entries + 1, sizeof *buffer->translations);
    buffer->translations[entries].page = NO_PAGE; /* ends all chains */
    for (int i = 0; i < CHAINS; i++)
        buffer->chains[i] = &buffer->translations[entries];
}

/* True if the page is the first of its chain. */
static inline int use_first(struct buffer *buffer, unsigned long page) {
    struct translation *first = buffer->chains[page % CHAINS];
    if (first->page != page)
        return 0;
    first->used = ++buffer->clock;
    buffer->last = page;
    return 1;
}

/* Removes the page from its chain, if it is in it. */
static inline struct translation *unchain(struct buffer *buffer, unsigned long page) {
    struct translation **place = &buffer->chains[page % CHAINS], *found;
    while ((*place)->page != page && (*place)->page != NO_PAGE)
        place = &(*place)->next;
    found = *place;
    if (found->page == NO_PAGE)
        return NULL;
    *place = found->next;
    return found;
}

/* True if the page is present. If it is not, it replaces the least recently used page of its set. */
static inline int use_page(struct buffer *buffer, unsigned long page) {
    struct translation *found = unchain(buffer, page), *set = buffer->translations;
    int hit = found != NULL;
    if (!hit) {
        if (buffer->sets > 1)
            set += page % buffer->sets * buffer->ways;
        found = set;
        for (unsigned long i = 1; i < buffer->ways; i++)
            if (set[i].used < found->used)
                found = &set[i];
        if (found->used)
            unchain(buffer, found->page);
        found->page = page;
    }
    found->next = buffer->chains[page % CHAINS];
    buffer->chains[page % CHAINS] = found;
    use_first(buffer, page);
    return hit;
}

#endif
