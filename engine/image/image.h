/* image.h: the analysis image: the user's analysis routines, linked with the runtime and a C library of their
   own into a static executable below 2 GB; and the registers that its routines may change. */
#ifndef ATOMC_IMAGE_H
#define ATOMC_IMAGE_H

#include "engine/program.h"

struct procedure_summary;
struct rewrite;

/* The registers that a call of a routine may change, including its whole call closure. */
struct routine_summary {
    /* among the registers that a procedure need not preserve, those of calls included */
    register_set written;
    bool uses_thread_pointer; /* may read it (errno, stdio, malloc, ...) or set it */
    bool changes_fpcr;        /* floating-point operations may set exception bits */
    bool uses_gp;
};

struct address_range {
    uint64_t first, after;
};

/* A function by the image's symbols: most tools need no procedures of the image. Behind its end are padding,
   or code without a name, up to the next function. */
struct analysis_function {
    const char *name;
    uint32_t first, end; /* instructions */
};

struct analysis_image {
    char *path;              /* of the linked image */
    struct program *program; /* the image as a program: segments, text, symbols; procedures,
                                blocks and edges once analysis_follow() has been called */
    struct diagnostics *diagnostics;
    uint8_t **segment_bytes;              /* per segment: a copy of its file bytes, which atomc changes */
    struct procedure_summary **summaries; /* private: per procedure, made on the first request */
    struct global_symbols *symbols;       /* private */
    struct analysis_function *functions;  /* in order */
    uint32_t function_count;
    struct address_range *unlocked; /* variables that may be read without the lock */
    uint32_t unlocked_count, unlocked_capacity;
};

/* The input of the build. */
struct analysis_group {         /* of one tool */
    const char *const *sources; /* .c files (and .o, .a) */
    uint32_t source_count;
    const char *include; /* directory of its header atomc.h; NULL if it has none */
    /* prefix of its global symbols, with a dot; NULL if they keep their names */
    const char *prefix;
    bool lenient;                     /* compiled as C of 1989, without warnings: for tools of ATOM */
    const char *const *link_words;    /* for the linker; NULL if none; NULL-terminated */
    const char *const *compile_words; /* the same for the compiler */
    const char *joined;               /* with a prefix: path of the object that all are joined into */
};

/* Included before any C: without it, the compiler loads precompiled headers that are beside the sources. */
#define FIRST_HEADER "atomc-first.h"

struct analysis_options {
    const struct analysis_group *groups;
    uint32_t group_count;
    const char *const *link_words; /* they follow the members of the groups */
    const char *runtime_directory; /* directory of the runtime's objects */
    const char *include_directory; /* directory of ATOM's headers, and of FIRST_HEADER */
    const char *tools_directory;   /* directory of table.h */
    const char *triple;            /* of the compiler: its name up to -gcc */
    const char *output;            /* path of the image, in the temporary directory */
    bool large;                    /* for a large program: the image is at layout->large_analysis */
    FILE *said;                    /* receives the compiler's warnings */
};

/* An instruction or a data word at `place` holds the address `target`, or half of it together with a
   possible other half. */
struct reference {
    uint64_t target, place;
};

/* Half of an offset from the data base. Both halves of one offset name the same symbol and the same distance
   from it. */
struct half {
    uint64_t value, place;
    uint64_t symbol;
    int64_t distance;
};

struct references {
    struct reference *list;
    size_t count, capacity;
    struct reference *variables; /* addresses and sizes of writable variables of eight bytes */
    size_t variable_count, variable_capacity;
    struct half *highs, *lows; /* sorted by place */
    size_t high_count, high_capacity, low_count, low_capacity;
    struct analysis_image *analysis;
    uint64_t data_base;
    bool unknown; /* some references are not understood */
};

/* ---- build.c ---- */

/* Compiles and links. Passes the compiler's own messages through; returns false after an error. */
bool analysis_build(const struct analysis_options *options, struct diagnostics *diagnostics);

/* Preprocesses each C file as the build would; calls `each` with the path of the result. Returns false,
   without a report, after an error. */
bool analysis_preprocess(const struct analysis_options *options, void (*each)(void *, const char *),
                         void *context);

/* ---- image.c ---- */

/* Opens a linked image, gates its system calls. Returns NULL after an error. */
struct analysis_image *analysis_open(const char *path, struct diagnostics *diagnostics);
void analysis_close(struct analysis_image *analysis);
void analysis_print(const struct analysis_image *analysis, FILE *stream); /* --dump=analysis */
/* Address of a global symbol, 0 if there is none. */
uint64_t analysis_symbol(const struct analysis_image *analysis, const char *name);
/* True if all bytes from `first` to `after` belong to a variable that the tool declares to be readable
   without the lock. */
bool analysis_is_unlocked(const struct analysis_image *analysis, uint64_t first, uint64_t after);
/* The addresses [*begin, *end) of a section; both 0 if it does not exist. */
void analysis_section(const struct analysis_image *analysis, const char *name, uint64_t *begin,
                      uint64_t *end);
/* The bytes [address, address+size) of the image's file contents, for changes; NULL if there are none. */
void *analysis_bytes(struct analysis_image *analysis, uint64_t address, uint64_t size);
/* Finds procedures, blocks and edges. Many tools do not need them: they call no routine. */
void analysis_follow(const struct analysis_image *analysis);
/* The summary of the routine that starts at `address`. If it is unknown, the routine may change
   everything. */
struct routine_summary analysis_summary(const struct analysis_image *analysis, uint64_t address);

/* ---- references.c ---- */

/* Reads them into the scratch arena of the image. */
void references_read(struct references *references, struct analysis_image *analysis);

/* ---- header.c ---- */

/* True if the tool's C may read or change the counter's cells itself. */
bool header_declares_cells(struct rewrite *rewrite, uint32_t counter);
/* True if the object file refers to a counter that it declares. */
bool header_cells_are_read(struct rewrite *rewrite, uint32_t counter, const struct references *references);
/* The variable for this name of the tool; NULL if the C does not declare it. */
uint64_t *header_variable(struct rewrite *rewrite, const char *kind, const char *name);

#endif
