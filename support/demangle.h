/* demangle.h: symbols as C++ writes them. */
#ifndef ATOMC_SUPPORT_DEMANGLE_H
#define ATOMC_SUPPORT_DEMANGLE_H

#include "support/support.h"

/* A symbol as C++ writes it; the caller frees it. NULL: it is none of C++. */
char *demangled_name(const char *symbol);
/* The same for where there is little room: `geo::sum<...>` for `double geo::sum<Shape>(std::vector<Shape*>
   const&)`. Neither the type of what is returned nor arguments. */
char *short_name(struct arena *arena, const char *demangled);

/* Symbols demangled so far. The table is in one arena, the texts are in another, which may be the same. */
struct demangled_names;
struct demangled_names *demangled_names_create(struct arena *table, struct arena *texts);
/* What C++ writes for the symbol, brief in its short form; a symbol that is none of C++, itself. */
const char *demangled_text(struct demangled_names *names, const char *symbol, bool brief);

#endif
