/* shadow.c: a byte of state for each byte of memory, in pages that are made on first use. */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"

enum { PAGE = 4096, BUCKETS = 1 << 16 };
static struct page {
    unsigned long number;
    struct page *next;
    unsigned char states[PAGE];
} * pages[BUCKETS];

unsigned char *shadow_of(unsigned long address) {
    static struct page *last;
    unsigned long number = address / PAGE;
    if (last && last->number == number)
        return last->states + address % PAGE;
    struct page **bucket = &pages[number % BUCKETS];
    for (last = *bucket; last && last->number != number; last = last->next)
        ;
    if (!last) {
        last = calloc(1, sizeof *last);
        if (!last)
            abort();
        last->number = number;
        last->next = *bucket;
        *bucket = last;
    }
    return last->states + address % PAGE;
}

/* The part of the range that lies in one page. */
static long part(unsigned long address, long size) {
    long room = PAGE - address % PAGE;
    return size < room ? size : room;
}

void shadow_set(unsigned long address, long size, enum state state) {
    for (long n; size > 0; address += n, size -= n)
        memset(shadow_of(address), state, n = part(address, size));
}

void shadow_define(unsigned long address, long size) {
    for (; size > 0; address++, size--) {
        unsigned char *state = shadow_of(address);
        if (*state == UNSET_HEAP || *state == UNSET_STACK)
            *state = GOOD;
    }
}

void shadow_forget(unsigned long address, unsigned long size) {
    for (int i = 0; i < BUCKETS; i++)
        for (struct page *page = pages[i]; page; page = page->next) {
            unsigned long from = page->number * PAGE, to = from + PAGE;
            from = from > address ? from : address;
            to = to < address + size ? to : address + size;
            if (from < to)
                memset(page->states + from % PAGE, GOOD, to - from);
        }
}

void shadow_copy(unsigned char *states, unsigned long address, long size, int put) {
    for (long n; size > 0; address += n, states += n, size -= n) {
        n = part(address, size);
        if (put)
            memcpy(shadow_of(address), states, n);
        else
            memcpy(states, shadow_of(address), n);
    }
}
