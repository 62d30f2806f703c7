/* demangle.h: symbols as C++ writes them. */
#ifndef ATOMC_SUPPORT_DEMANGLE_H
#define ATOMC_SUPPORT_DEMANGLE_H

#include "support/support.h"

/* The C++ name for a symbol; the caller frees it. NULL: it is not a C++ symbol. */
char *demangled_name(const char *symbol);
/* A short form: `geo::sum<...>` for `double geo::sum<Shape>(std::vector<Shape*> const&)`. The short form has
   neither the result type nor arguments. */
char *short_name(struct arena *arena, const char *demangled);

/* A cache of demangled symbols. The table is in one arena, the texts in another, which may be the same. */
struct demangled_names;
struct demangled_names *demangled_names_create(struct arena *table, struct arena *texts);
/* The C++ name for the symbol, in its short form if `brief`; another symbol is returned unchanged. */
const char *demangled_text(struct demangled_names *names, const char *symbol, bool brief);

#endif
