/* package.h: packages of tools (docs/packages.md): their descriptions, archives of them, and the permission
   to run C inside of atomc. Requires support.h, jansson, zstd. */
#ifndef ATOMC_PACKAGE_H
#define ATOMC_PACKAGE_H

#include <jansson.h>

#include "support/packages.h"
#include "support/support.h"

enum { PACKAGE_DIGEST = 64 }; /* hexadecimal digits */

struct package_file {
    const char *name; /* in the package */
    const char *bytes;
    size_t size;
};
/* All files of a package, in the order of their names; their bytes are in the arena. */
struct package_files {
    struct package_file *list;
    uint32_t count, capacity;
    uint64_t bytes;
};

/* ---- archive.c: .tar.zst ---- */

/* Each function returns false after an error, which is reported. An archive with anything that is no file of
   the package's is refused. */
bool archive_read(const char *path, struct arena *arena, struct package_files *files,
                  struct diagnostics *diagnostics);
bool archive_write(const char *path, const char *name, const struct package_files *files,
                   struct diagnostics *diagnostics);

/* ---- describe.c ---- */

/* A valid name of a file in a package. */
bool is_package_file(const char *name);
bool files_read(const char *folder, struct arena *arena, struct package_files *files,
                struct diagnostics *diagnostics);
const struct package_file *files_find(const struct package_files *files, const char *name);
/* The contents of package.json, checked against the files. Returns NULL after an error: the diagnostics are
   printed, or, unless `problem` is NULL, *problem is the first of them (from malloc), and the diagnostics are
   to be destroyed. The caller releases the result. */
json_t *package_describe(const struct package_files *files, const char *shown, struct arena *arena,
                         char **problem, struct diagnostics *diagnostics);
/* Returns false if it requires a later atomc, which is reported. */
bool package_is_for_this(const char *folder, struct diagnostics *diagnostics);

/* ---- trust.c ---- */

void package_digest(const struct package_files *files, char digest[PACKAGE_DIGEST + 1]);
/* True if the user has allowed this package, in its present state, to run C inside of atomc. */
bool package_is_trusted(const char *folder);
/* `asked`: the digest that the user has seen; a package with another digest is refused. NULL: the present
   digest. */
bool package_trust(const char *folder, const char *asked, struct diagnostics *diagnostics);
/* True if the user has allowed this C file to run inside of atomc: by the file, a folder that contains it, or
   its package. If an untrusted package prevents it, *package is its folder, which the caller frees; else
   NULL. */
bool code_is_trusted(const char *path, char **package);
/* Trusts a file, or a folder with all its present and future contents except for packages in it. */
bool path_trust(const char *path, struct diagnostics *diagnostics);

#endif
