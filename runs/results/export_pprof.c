/* export_pprof.c: trees, and rows with names of procedures, as a profile of pprof: messages of protobuf,
   https://github.com/google/pprof/blob/main/proto/profile.proto, compressed by gzip. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "runs/results/export.h"

/* The numbers of the fields in profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRINGS = 6,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2 };
enum {
    MAPPING_ID = 1,
    MAPPING_FILE = 5,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9
};
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

/* ---- messages of protobuf ------------------------------------------------------------------------------ */

struct protobuf {
    uint8_t *bytes;
    size_t length, capacity;
};

static void put_byte(struct protobuf *message, uint8_t byte) {
    if (message->length == message->capacity) {
        message->capacity = message->capacity ? 2 * message->capacity : 64;
        message->bytes = reallocate(message->bytes, message->capacity);
    }
    message->bytes[message->length++] = byte;
}

/* Seven bits a byte, the lowest first. */
static void put_varint(struct protobuf *message, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        put_byte(message, (uint8_t)(value | 0x80));
    put_byte(message, (uint8_t)value);
}

static void put_field(struct protobuf *message, unsigned field, uint64_t value) {
    put_varint(message, field << 3 | WIRE_NUMBER);
    put_varint(message, value);
}

static void put_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t length) {
    put_varint(message, field << 3 | WIRE_BYTES);
    put_varint(message, length);
    for (size_t i = 0; i < length; i++)
        put_byte(message, ((const uint8_t *)bytes)[i]);
}

/* The inner message is emptied. */
static void put_message(struct protobuf *message, unsigned field, struct protobuf *inner) {
    put_bytes(message, field, inner->bytes, inner->length);
    inner->length = 0;
}

/* ---- texts, functions and locations, each one time ------------------------------------------------------ */

struct profile {
    struct protobuf message, part, inner, packed;
    json_t *strings, *functions, *locations; /* numbers by contents */
};

/* The number that belongs to the key; the next one if the key is new. */
static uint64_t number_of(json_t *numbers, const char *key, bool *is_new) {
    json_t *known = json_object_get(numbers, key);
    uint64_t next = json_object_size(numbers) + 1;
    *is_new = known == NULL;
    if (known)
        return (uint64_t)json_integer_value(known);
    json_object_set_new_nocheck(numbers, key, json_integer((json_int_t)next));
    return next;
}

/* The first string is empty. */
static uint64_t string_number(struct profile *profile, const char *text) {
    bool is_new;
    uint64_t number = number_of(profile->strings, text, &is_new) - 1;
    if (is_new)
        put_bytes(&profile->message, PROFILE_STRINGS, text, strlen(text));
    return number;
}

static uint64_t function_number(struct profile *profile, const char *name, const char *file) {
    bool is_new;
    char *key = format_string("%s\n%s", name, file);
    uint64_t number = number_of(profile->functions, key, &is_new);
    free(key);
    if (is_new) {
        put_field(&profile->part, FUNCTION_ID, number);
        put_field(&profile->part, FUNCTION_NAME, string_number(profile, name));
        put_field(&profile->part, FUNCTION_SYSTEM_NAME, string_number(profile, name));
        put_field(&profile->part, FUNCTION_FILE, string_number(profile, file));
        put_message(&profile->message, PROFILE_FUNCTION, &profile->part);
    }
    return number;
}

static uint64_t location_number(struct profile *profile, const struct shape *shape, const struct cell *cells,
                                const char *name) {
    struct source_columns source = source_columns(shape);
    const char *file = text_at(cells, source.file, shape->column_count);
    uint64_t line = (uint64_t)number_at(cells, source.line, shape->column_count),
             address = (uint64_t)number_at(cells, source.address, shape->column_count);
    bool is_new;
    char *key = format_string("%s\n%s\n%llu\n%llu", name, file, (unsigned long long)line,
                              (unsigned long long)address);
    uint64_t number = number_of(profile->locations, key, &is_new);
    free(key);
    if (is_new) {
        uint64_t function = function_number(profile, name, file);
        put_field(&profile->inner, LINE_FUNCTION, function);
        put_field(&profile->inner, LINE_LINE, line);
        put_field(&profile->part, LOCATION_ID, number);
        put_field(&profile->part, LOCATION_MAPPING, 1);
        put_field(&profile->part, LOCATION_ADDRESS, address);
        put_message(&profile->part, LOCATION_LINE, &profile->inner);
        put_message(&profile->message, PROFILE_LOCATION, &profile->part);
    }
    return number;
}

/* ---- samples -------------------------------------------------------------------------------------------- */

/* The counts of a row; false: all are zero. The locations are in profile->packed, the innermost first. */
static void put_sample(struct profile *profile, const struct shape *shape, const struct cell *cells) {
    bool any = false;
    put_message(&profile->part, SAMPLE_LOCATIONS, &profile->packed);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_event(&shape->columns[i])) {
            int64_t value = number_at(cells, i, shape->column_count);
            any |= value != 0;
            put_varint(&profile->packed, (uint64_t)value);
        }
    put_message(&profile->part, SAMPLE_VALUES, &profile->packed);
    if (any)
        put_message(&profile->message, PROFILE_SAMPLE, &profile->part);
    profile->part.length = 0;
}

static bool put_tree(struct profile *profile, const struct request *request, struct store *store,
                     const struct selection *selection) {
    struct tree tree;
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    show_tree_names(request, &tree);
    uint64_t *locations = arena_allocate(request->arena, tree.count * sizeof *locations);
    for (uint32_t i = 1; i < tree.count; i++)
        locations[i] = location_number(profile, tree.shape, tree.nodes[i].cells,
                                       tree.nodes[i].name ? tree.nodes[i].name : "?");
    for (uint32_t i = 1; i < tree.count; i++) {
        for (uint32_t at = i; at; at = tree.nodes[at].parent)
            put_varint(&profile->packed, locations[at]);
        put_sample(profile, tree.shape, tree.nodes[i].cells);
    }
    return true;
}

static bool put_rows(struct profile *profile, const struct request *request, struct store *store,
                     const struct selection *selection) {
    const struct shape *shape = selection->shape;
    struct row_list list = {NULL, 0, 0};
    uint32_t name = source_columns(shape).name;
    if (!read_rows(store, selection, request->arena, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        const char *shown = shown_symbol(request, text_at(list.rows[i], name, shape->column_count));
        put_varint(&profile->packed, location_number(profile, shape, list.rows[i], shown));
        put_sample(profile, shape, list.rows[i]);
    }
    return true;
}

static void put_sample_types(struct profile *profile, const struct shape *shape) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (!is_event(&shape->columns[i]))
            continue;
        uint64_t type = string_number(profile, shape->columns[i].title);
        bool bytes =
            strcmp(shape->columns[i].unit, "bytes") == 0 || strcmp(shape->columns[i].title, "Bytes") == 0;
        first = first ? first : type;
        put_field(&profile->part, TYPE_TYPE, type);
        put_field(&profile->part, TYPE_UNIT, string_number(profile, bytes ? "bytes" : "count"));
        put_message(&profile->message, PROFILE_SAMPLE_TYPE, &profile->part);
    }
    put_field(&profile->message, PROFILE_DEFAULT_SAMPLE_TYPE, first);
}

/* One program; its names, files and lines are known. */
static void put_mapping(struct profile *profile, const char *program) {
    put_field(&profile->part, MAPPING_ID, 1);
    put_field(&profile->part, MAPPING_FILE, string_number(profile, program));
    put_field(&profile->part, MAPPING_HAS_FUNCTIONS, 1);
    put_field(&profile->part, MAPPING_HAS_FILES, 1);
    put_field(&profile->part, MAPPING_HAS_LINES, 1);
    put_message(&profile->message, PROFILE_MAPPING, &profile->part);
}

static bool write_compressed(const struct protobuf *message, FILE *stream) {
    enum { GZIP_WINDOW = 15 + 16, PIECE = 65536 };
    z_stream state = {.next_in = message->bytes, .avail_in = (uInt)message->length};
    uint8_t *piece = allocate(PIECE);
    bool good = message->length <= UINT32_MAX && deflateInit2(&state, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                                              GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    for (int result = Z_OK; good && result == Z_OK;) {
        state.next_out = piece;
        state.avail_out = PIECE;
        result = deflate(&state, Z_FINISH);
        fwrite(piece, 1, PIECE - state.avail_out, stream);
        good = result == Z_OK || result == Z_STREAM_END;
    }
    deflateEnd(&state);
    free(piece);
    return good;
}

bool export_pprof(const struct request *request, struct store *store, const struct selection *selection,
                  FILE *stream) {
    struct profile profile = {
        .strings = json_object(), .functions = json_object(), .locations = json_object()};
    string_number(&profile, "");
    put_sample_types(&profile, selection->shape);
    put_mapping(&profile, program_of(store, selection));
    bool good = is_tree(selection->shape) ? put_tree(&profile, request, store, selection)
                                          : put_rows(&profile, request, store, selection);
    good = good && write_compressed(&profile.message, stream);
    json_decref(profile.strings);
    json_decref(profile.functions);
    json_decref(profile.locations);
    free(profile.message.bytes);
    free(profile.part.bytes);
    free(profile.inner.bytes);
    free(profile.packed.bytes);
    return good;
}
