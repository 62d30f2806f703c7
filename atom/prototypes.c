/* prototypes.c: the prototypes that AddCallProto declares, in ATOM's language: f(int, const char *, long[10],
   VALUE). Requires a recording; a prototype may be declared again if only lengths of arrays differ.
 */
#include "atom/recording.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    const char *text, *at;
    const char *problem; /* the first prototype; NULL: none */
};

static void skip_blanks(struct scan *scan) {
    while (isspace((unsigned char)*scan->at))
        scan->at++;
}

static bool fail(struct scan *scan, const char *problem) {
    if (!scan->problem)
        scan->problem = problem;
    return false;
}

static bool accept(struct scan *scan, char character) {
    skip_blanks(scan);
    if (*scan->at != character)
        return false;
    scan->at++;
    return true;
}

/* The length of the word at the current position. */
static size_t word_length(struct scan *scan) {
    skip_blanks(scan);
    size_t length = 0;
    if (isalpha((unsigned char)*scan->at) || *scan->at == '_')
        while (isalnum((unsigned char)scan->at[length]) || scan->at[length] == '_')
            length++;
    return length;
}

static bool accept_word(struct scan *scan, const char *word) {
    size_t length = word_length(scan);
    if (length != strlen(word) || strncmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

/* ---- parameters --------------------------------------------------------------------------------------- */

static bool scan_modifiers(struct scan *scan, struct atom_parameter *parameter) {
    for (;;) {
        if (accept_word(scan, "const"))
            parameter->is_const = true;
        else if (accept_word(scan, "stable"))
            parameter->is_stable = true;
        else if (accept_word(scan, "free"))
            parameter->is_free = true;
        else
            break;
    }
    if (parameter->is_stable && parameter->is_free)
        return fail(scan, "stable and free exclude each other");
    return true;
}

static bool scan_length(struct scan *scan, struct atom_parameter *parameter) {
    char *end;
    skip_blanks(scan);
    unsigned long length = strtoul(scan->at, &end, 0);
    if (end == scan->at || length == 0 || length > UINT32_MAX / 8)
        return fail(scan, "an array needs a length from 1");
    parameter->length = (uint32_t)length;
    scan->at = end;
    return accept(scan, ']') ? true : fail(scan, "']' is missing");
}

static bool scan_parameter(struct scan *scan, struct atom_parameter *parameter) {
    static const struct {
        const char *word;
        enum atom_kind kind, array;
    } types[] = {{"char", PARAMETER_CHAR, PARAMETER_CHARS},    {"int", PARAMETER_INT, PARAMETER_INTS},
                 {"long", PARAMETER_LONG, PARAMETER_LONGS},    {"VALUE", PARAMETER_VALUE, PARAMETER_NO_KIND},
                 {"REGV", PARAMETER_REGV, PARAMETER_NO_KIND},  {"FREGV", PARAMETER_FREGV, PARAMETER_NO_KIND},
                 {"XLATE", PARAMETER_XLATE, PARAMETER_NO_KIND}};
    size_t i = 0, count = sizeof types / sizeof types[0];
    if (!scan_modifiers(scan, parameter))
        return false;
    bool star = accept(scan, '*'); /* *XLATE, as in the manual */
    while (i < count && !accept_word(scan, types[i].word))
        i++;
    if (i == count)
        return fail(scan,
                    "a parameter is a char, int, long, char *, an array of these, VALUE, REGV, FREGV or "
                    "XLATE *");
    parameter->kind = types[i].kind;
    star |= accept(scan, '*');
    scan->at += word_length(scan); /* a parameter's name has no meaning */
    if (star && parameter->kind == PARAMETER_CHAR)
        parameter->kind = PARAMETER_STRING;
    else if (star != (parameter->kind == PARAMETER_XLATE))
        return fail(scan, star ? "only char and XLATE have a *" : "an XLATE needs a *");
    else if (accept(scan, '[')) {
        parameter->kind = types[i].array;
        if (parameter->kind == PARAMETER_NO_KIND)
            return fail(scan, "arrays are of char, int or long");
        if (!scan_length(scan, parameter))
            return false;
    }
    bool memory = parameter->kind >= PARAMETER_STRING && parameter->kind <= PARAMETER_LONGS;
    if (!memory && (parameter->is_const || parameter->is_stable || parameter->is_free))
        return fail(scan, "const, stable and free are for arrays and char *");
    return true;
}

static bool scan_parameters(struct scan *scan, struct atom_prototype *prototype) {
    if (!accept(scan, '('))
        return fail(scan, "'(' is missing");
    if (accept(scan, ')'))
        return true;
    if (accept_word(scan, "void") && accept(scan, ')'))
        return true;
    do {
        struct atom_parameter *parameter = &prototype->parameters[prototype->parameter_count];
        if (prototype->parameter_count == PARAMETER_PARAMETERS)
            return fail(scan, "more parameters than a call can have");
        *parameter = (struct atom_parameter){0};
        if (!scan_parameter(scan, parameter))
            return false;
        prototype->parameter_count++;
    } while (accept(scan, ','));
    return accept(scan, ')') ? true : fail(scan, "',' or ')' is missing");
}

/* ---- declarations ------------------------------------------------------------------------------------- */

struct atom_prototype *find_prototype(const char *name, bool replaces) {
    struct recording *recording = session.recording;
    for (uint32_t i = 0; i < recording->prototype_count; i++)
        if (recording->prototypes[i].replaces == replaces && !recording->prototypes[i].as_it_is &&
            strcmp(recording->prototypes[i].name, name) == 0)
            return &recording->prototypes[i];
    return NULL;
}

/* The type without the lengths of arrays. */
static bool same_parameters(const struct atom_prototype *a, const struct atom_prototype *b) {
    if (a->parameter_count != b->parameter_count)
        return false;
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        const struct atom_parameter *left = &a->parameters[i], *right = &b->parameters[i];
        if (left->kind != right->kind || left->is_const != right->is_const ||
            left->is_stable != right->is_stable || left->is_free != right->is_free)
            return false;
    }
    return true;
}

struct atom_prototype *add_prototype(struct atom_prototype prototype) {
    struct recording *recording = session.recording;
    prototype.routine = recording->prototype_count;
    VECTOR_RESERVE(recording->prototypes, recording->prototype_count, recording->prototype_capacity);
    recording->prototypes[recording->prototype_count] = prototype;
    return &recording->prototypes[recording->prototype_count++];
}

static void declare(const char *routine, const char *text, bool replaces) {
    if (!require_recording(routine))
        return;
    if (!text) {
        misuse(MESSAGE_ATOM_HANDLE, routine, 1, "a prototype", "NULL");
        return;
    }
    struct scan scan = {.text = text, .at = text};
    struct atom_prototype made = {.text = arena_string(session.arena, text, strlen(text)),
                                  .replaces = replaces};
    size_t length = word_length(&scan);
    made.name = arena_string(session.arena, scan.at, length);
    scan.at += length;
    bool good = length ? scan_parameters(&scan, &made) : fail(&scan, "it begins with the routine's name");
    accept(&scan, ';');
    skip_blanks(&scan);
    if (good && *scan.at)
        good = fail(&scan, "something follows the ')'");
    if (!good) {
        misuse(MESSAGE_ATOM_PROTOTYPE, routine, text, scan.problem);
        return;
    }
    struct atom_prototype *known = find_prototype(made.name, replaces);
    if (known && !same_parameters(known, &made)) {
        misuse(MESSAGE_ATOM_PROTOTYPE_DIFFERS, routine, made.name, text);
        misuse_hint("it was %s; only lengths of arrays may change", known->text);
        return;
    }
    if (known) {
        made.routine = known->routine;
        *known = made;
        return;
    }
    add_prototype(made);
}

void AddCallProto(const char *text) {
    declare("AddCallProto", text, false);
}

void ReplaceProto(const char *text) {
    declare("ReplaceProto", text, true);
}
