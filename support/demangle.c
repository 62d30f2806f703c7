/* demangle.c: C++ names of symbols, and short forms of them. Requires nothing. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/demangle.h"

/* A function of the C++ library, whose header declares it only for C++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

char *demangled_name(const char *symbol) {
    int status;
    if (strncmp(symbol, "_Z", 2) != 0)
        return NULL; /* a name of C, though it may be a type's in C++ */
    return __cxa_demangle(symbol, NULL, NULL, &status);
}

/* ---- short names --------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The length of the operator's name that begins here: `operator<<`, `operator()`; 0: there is none.
   Conversion operators are not included: their name is a type, which may have template arguments. */
static size_t operator_length(const char *at, const char *begin) {
    static const char *const signs[] = {"<=>", "->*", "<<=", ">>=", "()", "[]", "<<",
                                        ">>",  "<=",  ">=",  "->",  "<",  ">"};
    const char before = at > begin ? at[-1] : ' ';
    if (!begins(at, "operator") || (before != ' ' && before != ':'))
        return 0;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (begins(at + strlen("operator"), signs[i]))
            return strlen("operator") + strlen(signs[i]);
    return 0;
}

/* The position after the bracket that closes the bracket here. */
static const char *behind_bracket(const char *at) {
    const char *const begin = at;
    size_t depth = 0;
    while (*at) {
        size_t length = operator_length(at, begin);
        if (length > 0) {
            at += length;
            continue;
        }
        depth += strchr("(<[{", *at) != NULL;
        depth -= strchr(")>]}", *at) != NULL && !(*at == '>' && at[-1] == '-');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

/* Types with names of their own; a template's arguments are `<...>`. */
static size_t shorten_templates(const char *name, char *shorter) {
    static const char string[] = "std::basic_string<char, std::char_traits<char>, std::allocator<char> >";
    size_t length = 0;
    for (const char *at = name; *at;) {
        size_t whole = operator_length(at, name);
        if (begins(at, "std::__cxx11::")) {
            memcpy(shorter + length, "std::", 5);
            length += 5;
            at += strlen("std::__cxx11::");
            if (begins(at, string + 5)) {
                memcpy(shorter + length, "string", 6);
                length += 6;
                at += sizeof string - 1 - 5;
            }
        } else if (begins(at, string)) {
            memcpy(shorter + length, "std::string", 11);
            length += 11;
            at += sizeof string - 1;
        } else if (whole > 0) {
            memcpy(shorter + length, at, whole);
            length += whole;
            at += whole;
        } else if (*at == '<') {
            const char *end = behind_bracket(at);
            size_t kept = (size_t)(end - at) < 5 ? (size_t)(end - at) : 5;
            memcpy(shorter + length, kept < 5 ? at : "<...>", kept);
            length += kept;
            at = end;
        } else {
            shorter[length++] = *at++;
        }
    }
    shorter[length] = '\0';
    return length;
}

/* The beginning of the name itself: after the result type, which names of templates have. */
static const char *behind_type(const char *name, const char *arguments) {
    const char *begin = name;
    for (const char *at = name; at < arguments;) {
        if (begins(at, "operator"))
            break; /* `operator new`, `operator unsigned long` */
        if (*at == ' ')
            begin = at + 1;
        at = strchr("(<[{", *at) ? behind_bracket(at) : at + 1;
    }
    return begin;
}

/* The bracket of the arguments; NULL: there is none, or the text is not a procedure's name. */
static char *find_arguments(char *name) {
    for (char *at = name; *at;) {
        size_t length = operator_length(at, name);
        if (length > 0)
            at += length;
        else if (*at == '(' && !begins(at, "(anonymous namespace)") && !(at > name && at[-1] == ' '))
            return at;
        else
            at = strchr("(<[{", *at) ? (char *)behind_bracket(at) : at + 1;
    }
    return NULL;
}

char *short_name(struct arena *arena, const char *demangled) {
    char *name = arena_allocate(arena, 2 * strlen(demangled) + 1);
    shorten_templates(demangled, name);
    char *arguments = find_arguments(name);
    if (!arguments || strstr(name, " for ") || strstr(name, " thunk to "))
        return name;
    const char *from = behind_type(name, arguments);
    memmove(name, from, strlen(from) + 1);
    /* The name of a local entity follows the arguments of its procedure. */
    while ((arguments = find_arguments(name))) {
        const char *after = behind_bracket(arguments), *clone = strstr(after, " [clone ");
        const char *local = strstr(after, "::");
        const char *rest = local && (after == local || begins(after, " const::")) ? local
                           : clone                                                ? clone
                                                                                  : "";
        memmove(arguments, rest, strlen(rest) + 1);
    }
    return name;
}

/* ---- a table of names ---------------------------------------------------------------------------------- */

/* A hash table by symbols, at most half full. */
struct demangled_names {
    struct arena *table, *texts;
    struct demangled {
        const char *symbol, *whole, *brief; /* brief: NULL until it is needed */
    } * slots;
    size_t count, size; /* a power of two */
};

struct demangled_names *demangled_names_create(struct arena *table, struct arena *texts) {
    struct demangled_names *names = arena_allocate(table, sizeof *names);
    names->table = table;
    names->texts = texts;
    return names;
}

static size_t hash_of(const char *text) {
    size_t value = 14695981039346656037U;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 1099511628211U;
    return value ^ value >> 32;
}

/* The symbol's slot, or a free slot for it. */
static struct demangled *slot_of(const struct demangled_names *names, const char *symbol) {
    for (size_t at = hash_of(symbol);; at++) {
        struct demangled *slot = &names->slots[at & (names->size - 1)];
        if (!slot->symbol || strcmp(slot->symbol, symbol) == 0)
            return slot;
    }
}

static void grow(struct demangled_names *names) {
    struct demangled_names old = *names;
    names->size = old.size ? 2 * old.size : 256;
    names->slots = arena_allocate(names->table, names->size * sizeof *names->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].symbol)
            *slot_of(names, old.slots[i].symbol) = old.slots[i];
}

static void add(struct demangled_names *names, struct demangled *slot, const char *symbol) {
    char *whole = demangled_name(symbol);
    slot->symbol = slot->whole = arena_string(names->texts, symbol, strlen(symbol));
    if (whole)
        slot->whole = arena_string(names->texts, whole, strlen(whole));
    names->count++;
    free(whole);
}

const char *demangled_text(struct demangled_names *names, const char *symbol, bool brief) {
    if (!begins(symbol, "_Z"))
        return symbol;
    if (2 * names->count >= names->size)
        grow(names);
    struct demangled *slot = slot_of(names, symbol);
    if (!slot->symbol)
        add(names, slot, symbol);
    if (brief && !slot->brief) {
        const char *text = slot->whole == slot->symbol ? slot->symbol : short_name(names->texts, slot->whole);
        slot->brief = *text ? text : slot->whole;
    }
    return brief ? slot->brief : slot->whole;
}
