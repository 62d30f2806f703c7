/* objects.h: files that the project keeps: objects/ab/cdef..., by the SHA-256 of their bytes. */
#ifndef ATOMC_WORKBENCH_OBJECTS_H
#define ATOMC_WORKBENCH_OBJECTS_H

#include <sha2.h>
#include <sys/types.h>
#include <time.h>

#include "workbench/api/api.h"

/* A file on its way into objects/: it is there whole or not at all. */
struct object {
    const struct project *project;
    char *temporary; /* NULL: there is none, or no more */
    int file;
    SHA2_CTX state;
    int64_t bytes;
    int error; /* errno of what went wrong; 0: nothing has */
    char digest[SHA256_DIGEST_STRING_LENGTH];
    bool was_there; /* once it is kept: so were the same bytes */
};
/* False: object->error. It is to be given to object_end in any case. */
bool object_begin(struct object *object, const struct project *project);
bool object_write(struct object *object, const void *bytes, size_t count);
/* As old as `times` says; NULL: as of now. */
bool object_keep(struct object *object, const struct timespec times[2]);
void object_end(struct object *object);

/* Its path: absolute, or below the project's folder. In the arena. */
const char *object_path(struct arena *arena, const struct project *project, const char *digest);
const char *object_name(struct arena *arena, const char *digest);
bool is_digest(const char *text);
/* What a server before this one was taking in. */
void objects_tidy(const struct project *project);

#endif
