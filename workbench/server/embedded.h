/* embedded.h: files in the executable, a table that embed.sh generates. */
#ifndef ATOMC_WORKBENCH_EMBEDDED_H
#define ATOMC_WORKBENCH_EMBEDDED_H

struct embedded {
    const char *path, *tag; /* web/..., docs/...; its digest, in quotes */
    const unsigned char *begin, *end;
};
extern const struct embedded embedded_files[]; /* a path of NULL ends it */
/* NULL: there is no such file. */
const struct embedded *find_embedded(const char *path);

#endif
