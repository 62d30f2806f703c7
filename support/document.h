/* document.h: JSON documents that users write: values with their positions in the text, at which errors are
   reported. Requires jansson. */
#ifndef ATOMC_SUPPORT_DOCUMENT_H
#define ATOMC_SUPPORT_DOCUMENT_H

#include <jansson.h>

#include "support/support.h"

struct document {
    struct source source;
    json_t *root;
    struct diagnostics *diagnostics;
};

/* A value, and the path to it. Nodes are passed by value; their parents must remain valid. */
struct node {
    const struct document *document;
    const struct node *up; /* NULL: this is the root */
    const char *key;       /* NULL: an element of an array */
    size_t index;          /* of it */
    json_t *value;         /* NULL: there is no such member */
};

/* Returns false after an error, which is reported: no file, no JSON, a key that occurs twice.
   document_close() is called after the diagnostics have been printed, because they quote the text. */
bool document_open(struct document *document, const char *path, struct diagnostics *diagnostics);
/* Likewise, of a text, which has that name in messages. */
bool document_read(struct document *document, const char *name, const char *text, size_t length,
                   struct diagnostics *diagnostics);
void document_close(struct document *document);

struct node document_root(const struct document *document);
struct node node_member(const struct node *object, const char *key);
struct node node_element(const struct node *array, size_t index);
/* The bytes of the value in the text. For a missing member: the object's first byte. */
struct source_span node_span(const struct node *node);
struct source_span node_key_span(const struct node *node); /* position of a member's key */
/* The name in messages: its key, or the key of the list that it is an element of. */
const char *node_name(const struct node *node);

/* False after an error, which is reported at the node. `needed`: "a text", "a list" ... */
bool node_refuse(const struct node *node, const char *needed);
/* True for an object whose keys are all among these, or "note", which is for people. */
bool node_is_object(const struct node *node, const char *const *keys, size_t key_count);
bool node_is_array(const struct node *node); /* not empty */
/* A text that is not empty. */
bool node_text(const struct node *node, const char **text);
bool node_integer(const struct node *node, int64_t least, int64_t greatest, int64_t *value);
/* Reports an error if the object has no such member. */
bool node_needs(const struct node *object, const char *key);

#endif
