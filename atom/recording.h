/* recording.h: the requests of the user's instrumentation code, which become a plan. Requires internal.h;
   shared by the sources of atom/ that record requests and the sources that make the plan. */
#ifndef ATOMC_ATOM_RECORDING_H
#define ATOMC_ATOM_RECORDING_H

#include <stdarg.h>

#include "atom/internal.h"

enum atom_kind { /* of a parameter */
                 PARAMETER_NO_KIND,
                 PARAMETER_CHAR,
                 PARAMETER_INT,
                 PARAMETER_LONG,
                 PARAMETER_STRING, /* from here to PARAMETER_LONGS in memory */
                 PARAMETER_CHARS,
                 PARAMETER_INTS,
                 PARAMETER_LONGS,
                 PARAMETER_VALUE,
                 PARAMETER_REGV,
                 PARAMETER_FREGV,
                 PARAMETER_XLATE,
};
struct atom_parameter {
    enum atom_kind kind;
    bool is_const, is_stable, is_free;
    uint32_t length; /* of an array */
};
enum { PARAMETER_PARAMETERS = 32 }; /* the maximum number in a call of the runtime */
struct atom_prototype {
    const char *name, *text;
    uint32_t routine; /* its number */
    bool replaces;    /* of ReplaceProto, or made for a routine that receives the procedure's arguments */
    bool as_it_is;    /* the latter, which is not found by its name */
    uint32_t parameter_count;
    struct atom_parameter parameters[PARAMETER_PARAMETERS];
};

/* One AddCall, or a replacement of a procedure or of an entry. */
struct atom_call {
    bool replaces, retains;
    enum plan_place place;
    uint32_t index; /* of the place */
    uint8_t where;  /* PlaceType */
    const struct atom_prototype *prototype;
    uint32_t routine, argument_count;
    const struct plan_expression **arguments;
};

struct recording {
    struct arena *arena; /* the plan's */
    const struct atom_options *options;
    bool all; /* InstrumentAll runs */
    struct atom_prototype *prototypes;
    uint32_t prototype_count, prototype_capacity;
    struct atom_call *calls; /* sorted in the order in which they were added */
    uint32_t call_count, call_capacity;
    struct plan_buffer *buffers;
    uint32_t buffer_count, buffer_capacity;
    struct Xlate *tables;                     /* the last made first */
    const struct plan_expression *small[256]; /* constants, shared */
    const struct plan_expression *registers[64], *address, *outcome, *pc, *instrumented_pc, *cycles;
};

/* The recording; NULL after reporting that the routine cannot be called here (a function of an expression
   may only query). */
struct recording *require_recording(const char *routine);

/* ---- prototypes.c ---- */
struct atom_prototype *find_prototype(const char *name, bool replaces);
struct atom_prototype *add_prototype(struct atom_prototype prototype);

/* ---- calls.c ---- */
/* The routine's prototype; parameter `number` has its name; NULL after reporting an error. */
const struct atom_prototype *prototype_of(const char *routine, int number, const char *name, bool replaces);
/* True if there is such an analysis routine. Otherwise reports an error. */
bool require_routine(const char *routine, int number, const char *name);
void record_call(struct atom_call call);
/* The arguments of a variadic routine, by the prototype. */
const struct atom_argument *read_arguments(const char *name, bool replaces, va_list list);

/* ---- xlate.c ---- */
/* The plan's buffer that the table will be; NO_INDEX after reporting. */
uint32_t table_buffer(const char *routine, int number, const Xlate *table);
void tables_finish(struct recording *recording);

/* ---- arguments.c ---- */
/* The arguments of one AddCall, checked against the prototype and copied. NULL after reporting; `number` is
   the first one's as a parameter of the routine. */
const struct plan_expression **make_arguments(const char *routine, int number,
                                              const struct atom_prototype *prototype, struct atom_call *call,
                                              const struct atom_argument *arguments);

#endif
