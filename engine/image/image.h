/* image.h: the analysis image: the user's analysis routines linked with the runtime and a C library of
   their own into a static executable below 2 GB, and what its routines may do to registers. */
#ifndef ATOMC_IMAGE_H
#define ATOMC_IMAGE_H

#include "engine/program.h"

struct procedure_summary;
struct rewrite;

/* What a call of a routine may change, its whole call closure included. */
struct routine_summary {
    alpha_register_set
        written;              /* of the registers that a procedure need not preserve, $26 and $27 included */
    bool uses_thread_pointer; /* may read it (errno, stdio, malloc, ...) or set it */
    bool changes_fpcr;        /* floating-point operations may set exception bits */
    bool uses_gp;
};

struct address_range {
    uint64_t first, behind;
};

struct analysis_image {
    char *path;              /* of the linked image */
    struct program *program; /* the image as a program: segments, text, procedures; blocks and
                                edges once analysis_follow() has been called */
    struct diagnostics *diagnostics;
    uint8_t **segment_bytes;              /* per segment: a copy of its file bytes, which atomc changes */
    struct procedure_summary **summaries; /* private: of each procedure, once one is asked for */
    struct global_symbols *symbols;       /* private */
    struct address_range *unlocked;       /* variables that may be read without the lock */
    uint32_t unlocked_count, unlocked_capacity;
};

/* The input of the build. */
struct analysis_group {         /* one tool's */
    const char *const *sources; /* .c files (and .o, .a) */
    uint32_t source_count;
    const char *include;              /* folder of its header atomc.h; NULL: it has none */
    const char *prefix;               /* of its global symbols, with a dot; NULL: they keep their names */
    bool lenient;                     /* C of 1989, without warnings: of ATOM's tools */
    const char *const *link_words;    /* for the linker, NULL: none; NULL at the end */
    const char *const *compile_words; /* the same for the compiler */
    const char *joined;               /* with a prefix: path of the object to make of them all */
};

/* Read before any C: without it, the compiler loads precompiled headers that stand beside the sources. */
#define FIRST_HEADER "atomc-first.h"

struct analysis_options {
    const struct analysis_group *groups;
    uint32_t group_count;
    const char *const *link_words; /* after those of the groups */
    const char *runtime_directory; /* where the runtime's objects are */
    const char *include_directory; /* ATOM's headers, and FIRST_HEADER */
    const char *tools_directory;   /* where table.h is */
    const char *cross_prefix;      /* "alpha-linux-gnu-" */
    const char *output;            /* path of the image to make, in the temporary directory */
    bool large;                    /* it is for a large program: at LAYOUT_LARGE_ANALYSIS */
    FILE *said;                    /* gets the compiler's warnings */
};

/* An instruction or a word in data at `place` tells the address `target`, or half of it and what may be the
 * other. */
struct reference {
    uint64_t target, place;
};

/* Of an offset from $gp. Both halves of one name the same symbol and the same distance from it. */
struct half {
    uint64_t value, place;
    uint64_t symbol;
    int64_t distance;
};

struct references {
    struct reference *list;
    size_t count, capacity;
    struct reference *variables; /* address and size of those of eight bytes that may be written */
    size_t variable_count, variable_capacity;
    struct half *highs, *lows; /* in the order of places */
    size_t high_count, high_capacity, low_count, low_capacity;
    struct analysis_image *analysis;
    uint64_t gp;
    bool unknown; /* not all are understood */
};

/* ---- build.c ---- */

/* Compiles and links. The compiler's own messages are passed through; false after an error. */
bool analysis_build(const struct analysis_options *options, struct diagnostics *diagnostics);

/* Has each C file read with all that it includes, as the build would; `each` gets the path of the result.
   False, which is not reported, after an error. */
bool analysis_preprocess(const struct analysis_options *options, void (*each)(void *, const char *),
                         void *context);

/* ---- image.c ---- */

/* Opens a linked image, puts gates on its system calls, summarises its procedures. NULL after an error. */
struct analysis_image *analysis_open(const char *path, struct diagnostics *diagnostics);
void analysis_close(struct analysis_image *analysis);
void analysis_print(const struct analysis_image *analysis, FILE *stream); /* --dump=analysis */
/* Address of a global symbol, 0 if there is none. */
uint64_t analysis_symbol(const struct analysis_image *analysis, const char *name);
/* Do all bytes from `first` to `behind` belong to a variable that the tool says is read without the lock? */
bool analysis_is_unlocked(const struct analysis_image *analysis, uint64_t first, uint64_t behind);
/* The addresses [*begin, *end) of a section; both 0 if there is none. */
void analysis_section(const struct analysis_image *analysis, const char *name, uint64_t *begin,
                      uint64_t *end);
/* Bytes [address, address+size) of the image's file contents, to change; NULL if not there. */
void *analysis_bytes(struct analysis_image *analysis, uint64_t address, uint64_t size);
/* Finds blocks and edges, which many tools do not need: they call no routine. */
void analysis_follow(const struct analysis_image *analysis);
/* The routine that starts at `address`. Where nothing is known, everything may change. */
struct routine_summary analysis_summary(const struct analysis_image *analysis, uint64_t address);

/* ---- references.c ---- */

/* Into the scratch arena of the image. */
void references_read(struct references *references, struct analysis_image *analysis);

/* ---- header.c ---- */

/* May the tool's C read or change the counter's cells itself? */
bool header_declares_cells(struct rewrite *rewrite, uint32_t counter);
/* Does it, of a counter that it declares? */
bool header_cells_are_read(struct rewrite *rewrite, uint32_t counter, const struct references *references);
/* The variable for what is called so in the tool, NULL if the C does not declare it. */
uint64_t *header_variable(struct rewrite *rewrite, const char *kind, const char *name);

#endif
