/* internal.h: shared by the sources of this room: texts, the table of objects, addresses of libraries. */
#ifndef ATOMC_RUNTIME_TEXT_INTERNAL_H
#define ATOMC_RUNTIME_TEXT_INTERNAL_H

#include "runtime/text/text.h"

static inline long page_down(long address) {
    return address & -PAGE;
}
static inline long rounded_to_page(long address) {
    return (address + PAGE - 1) & -PAGE;
}
static inline int is_error(long result) {
    return result < 0 && result > -4096;
}

/* ---- library_places.c ---- */

enum { LIBRARIES = 256 };
static inline const struct atomc_library *library_at(unsigned long number) {
    return (const struct atomc_library *)atomc_image.libraries + number;
}
int atomc_library_is_loaded(unsigned long number);
long atomc_library_distance(unsigned long number); /* distance of its addresses in memory from its static
                                                      addresses */
/* The library is in memory now. */
void atomc_place_library(unsigned long number, long distance);

/* ---- texts.c ---- */

/* The program's own text, or an instrumented library's in memory. */
struct program_text {
    unsigned long address, first,
        count; /* address and number of the first instruction, and the number of instructions */
    unsigned long begin, end; /* pages */
    unsigned long page;       /* number of the first, counted over all objects */
    const uint32_t *map;
    int runs, is_library; /* the word is executed in place */
};
/* Number 0 is the program's own text. Returns false if there are no more texts. */
int atomc_text_number(unsigned long number, struct program_text *text);
/* Returns false if the address is in no text. */
int atomc_text_at(unsigned long address, struct program_text *text);
unsigned long atomc_instruction_at(const struct program_text *text, unsigned long address);
unsigned long atomc_text_pages(void); /* of all objects */

/* ---- stubs.c ---- */

enum { OBJECTS = 4096 };
/* An object whose system calls go through the gate. */
struct object {
    int taken;                                    /* 0: this entry is free */
    unsigned long begin, end;                     /* end of its mapping, as far as known */
    unsigned long stub, calls[3];                 /* the page, and the code for each callsys in it */
    unsigned long springboards, springboards_end; /* springboards into copies */
    long library;                                 /* its number as an instrumented library, or -1 */
    int in_hole;                                  /* the page is one of the hole after the text */
};
extern struct object atomc_objects[OBJECTS];
extern unsigned atomc_objects_used; /* all entries from here on are free */
struct object *atomc_new_object(void);
/* A page in the hole after the text, [hole, hole_end), or else as near to [begin, end) as possible. */
long atomc_map_stub(long hole, long hole_end, long begin, long end);
void atomc_write_stub(struct object *object, uint32_t *code);
/* The dynamic linker protects the hole after a library's text, which contains the stubs. */
void atomc_open_stubs(unsigned long begin, unsigned long end);
atomc_find_own atomc_next_stub;

#endif
