/* objects.h: files that the project keeps: objects/ab/cdef..., by the SHA-256 of their bytes. */
#ifndef ATOMC_WORKBENCH_OBJECTS_H
#define ATOMC_WORKBENCH_OBJECTS_H

#include <sha2.h>
#include <sys/types.h>
#include <time.h>

#include "workbench/api/api.h"

/* A file that is being written to objects/: it appears completely or not at all. */
struct object {
    const struct project *project;
    char *temporary; /* NULL: the file does not exist, or no longer exists */
    int file;
    SHA2_CTX state;
    int64_t bytes;
    int error; /* errno of the first error; 0: none */
    char digest[SHA256_DIGEST_STRING_LENGTH];
    bool was_there; /* set after storing: true if a file with the same contents existed */
};
/* Returns false after an error: object->error. The caller passes it to object_end in either case. */
bool object_begin(struct object *object, const struct project *project);
bool object_write(struct object *object, const void *bytes, size_t count);
/* Sets the time from `times`; NULL: the present time. */
bool object_keep(struct object *object, const struct timespec times[2]);
void object_end(struct object *object);

/* Its path: absolute, or below the project's folder. In the arena. */
const char *object_path(struct arena *arena, const struct project *project, const char *digest);
const char *object_name(struct arena *arena, const char *digest);
bool is_digest(const char *text);
/* Removes files that an earlier server had not received completely. */
void objects_tidy(const struct project *project);

#endif
