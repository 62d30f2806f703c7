/* packages.h: packages of tools: folders with a package.json (docs/packages.md), found by their names. */
#ifndef ATOMC_SUPPORT_PACKAGES_H
#define ATOMC_SUPPORT_PACKAGES_H

#include "support/support.h"

bool is_package_name(const char *name);
/* The folder of the user's atomc data, which may not exist yet; NULL: its path is unknown. The caller frees
   it. */
char *packages_own_data(void);
/* A folder in the form for ATOMC_PACKAGES: ':' and '\' are preceded by '\'. The caller frees it. */
char *packages_list_entry(const char *folder);
/* The package's folder: in a folder of ATOMC_PACKAGES, in the user's folder, or in `installed`; NULL: there
   is none. The caller frees it. */
char *package_find(const char *name, const char *installed);
/* Each that package_find() finds. */
void packages_visit(const char *installed, void (*visit)(const char *name, const char *folder, void *context),
                    void *context);

#endif
