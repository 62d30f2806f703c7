/* parquet.c: see parquet.h. Headers are structures of Thrift's compact protocol
   (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md); their fields are those
   of https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. */
#include "runs/results/parquet.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A page's size is a number of 32 bits: a group ends before the texts of a column become too long. */
enum { GROUP_ROWS = 65536, COLUMN_BYTES = 64 << 20 };

/* ---- bytes ---------------------------------------------------------------------------------------------- */

struct bytes {
    uint8_t *data;
    size_t length, capacity;
};

static uint8_t *reserve(struct bytes *bytes, size_t length) {
    if (bytes->length + length > bytes->capacity) {
        bytes->capacity = 2 * bytes->capacity + length + 64;
        bytes->data = reallocate(bytes->data, bytes->capacity);
    }
    bytes->length += length;
    return bytes->data + bytes->length - length;
}

static void append_bytes(struct bytes *bytes, const void *data, size_t length) {
    if (length > 0)
        memcpy(reserve(bytes, length), data, length);
}

static void append_byte(struct bytes *bytes, unsigned value) {
    *reserve(bytes, 1) = (uint8_t)value;
}

/* Little-endian. */
static void append_number(struct bytes *bytes, uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; i++)
        append_byte(bytes, (unsigned)(value >> 8 * i) & 0xff);
}

/* Seven bits a byte, the lowest first. */
static void append_varint(struct bytes *bytes, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        append_byte(bytes, (unsigned)(value & 0x7f) | 0x80);
    append_byte(bytes, (unsigned)value);
}

/* ---- Thrift's compact protocol --------------------------------------------------------------------------- */

enum thrift_type { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

/* A structure that is being written: the number of its last field. */
struct thrift {
    struct bytes *bytes;
    unsigned last;
};

/* Fields are written in the order of their numbers, which differ by less than 16. */
static void thrift_field(struct thrift *to, unsigned field, enum thrift_type type) {
    append_byte(to->bytes, (field - to->last) << 4 | type);
    to->last = field;
}

static void append_zigzag(struct bytes *bytes, int64_t value) {
    append_varint(bytes, (uint64_t)value << 1 ^ -(uint64_t)(value < 0));
}

static void thrift_i32(struct thrift *to, unsigned field, int32_t value) {
    thrift_field(to, field, THRIFT_I32);
    append_zigzag(to->bytes, value);
}

static void thrift_i64(struct thrift *to, unsigned field, int64_t value) {
    thrift_field(to, field, THRIFT_I64);
    append_zigzag(to->bytes, value);
}

static void append_text(struct bytes *bytes, const char *text) {
    append_varint(bytes, strlen(text));
    append_bytes(bytes, text, strlen(text));
}

static void thrift_text(struct thrift *to, unsigned field, const char *text) {
    thrift_field(to, field, THRIFT_BINARY);
    append_text(to->bytes, text);
}

static void thrift_list(struct thrift *to, unsigned field, enum thrift_type type, size_t count) {
    thrift_field(to, field, THRIFT_LIST);
    append_byte(to->bytes, (unsigned)(count < 15 ? count : 15) << 4 | type);
    if (count >= 15)
        append_varint(to->bytes, count);
}

static void end_structure(struct thrift *to) {
    append_byte(to->bytes, 0);
}

/* ---- the writer ------------------------------------------------------------------------------------------- */

/* Values of parquet.thrift. */
enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { CONVERTED_UTF8 = 0, CONVERTED_UINT_64 = 14 };
enum { REPETITION_REQUIRED = 0, REPETITION_OPTIONAL = 1 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3 };
enum { CODEC_GZIP = 2 };
enum { PAGE_DATA = 0 };
/* Numbers of the fields of its structures. */
enum { FILE_VERSION = 1, FILE_SCHEMA = 2, FILE_ROWS = 3, FILE_GROUPS = 4, FILE_CREATED_BY = 6 };
enum { SCHEMA_TYPE = 1, SCHEMA_REPETITION = 3, SCHEMA_NAME = 4, SCHEMA_CHILDREN = 5, SCHEMA_CONVERTED = 6 };
enum { GROUP_COLUMNS = 1, GROUP_BYTES = 2, GROUP_ROW_COUNT = 3 };
enum { CHUNK_OFFSET = 2, CHUNK_ABOUT = 3 };
enum {
    ABOUT_TYPE = 1,
    ABOUT_ENCODINGS = 2,
    ABOUT_PATH = 3,
    ABOUT_CODEC = 4,
    ABOUT_VALUES = 5,
    ABOUT_PLAIN_BYTES = 6,
    ABOUT_BYTES = 7,
    ABOUT_PAGE = 9
};
enum { PAGE_TYPE = 1, PAGE_PLAIN_BYTES = 2, PAGE_BYTES = 3, PAGE_DATA_HEADER = 5 };
enum { DATA_VALUES = 1, DATA_ENCODING = 2, DATA_DEFINITIONS = 3, DATA_REPETITIONS = 4 };

static const struct {
    int32_t physical, converted; /* converted: -1: none */
} types[ROW_TYPES] = {
    [ROW_TEXT] = {TYPE_BYTE_ARRAY, CONVERTED_UTF8},
    [ROW_INTEGER] = {TYPE_INT64, -1},
    [ROW_REAL] = {TYPE_DOUBLE, -1},
    [ROW_ADDRESS] = {TYPE_INT64, CONVERTED_UINT_64},
};

struct column {
    char *title;
    enum row_type type;
    struct bytes values;  /* of the group's rows that have one */
    struct bytes present; /* a byte for each row of the group: 1: it has a value */
};

struct parquet {
    FILE *stream;
    struct column *columns;
    uint32_t column_count;
    uint32_t rows; /* of the group */
    int64_t all_rows, written;
    struct bytes groups; /* their descriptions, for the end of the file */
    size_t group_count;
};

static const char mark[] = "PAR1"; /* at both ends of the file */

static void write_bytes(struct parquet *parquet, const void *data, size_t length) {
    fwrite(data, 1, length, parquet->stream);
    parquet->written += (int64_t)length;
}

struct parquet *parquet_begin(FILE *stream, const struct row_column *columns, uint32_t column_count) {
    struct parquet *parquet = allocate_zeroed(1, sizeof *parquet);
    parquet->stream = stream;
    parquet->columns = allocate_zeroed(column_count, sizeof *parquet->columns);
    parquet->column_count = column_count;
    for (uint32_t i = 0; i < column_count; i++) {
        parquet->columns[i].title = duplicate_string(columns[i].title);
        parquet->columns[i].type = columns[i].type;
    }
    write_bytes(parquet, mark, strlen(mark));
    return parquet;
}

/* Runs of equal bits, each a count and the bit, after the length of all. */
static void append_definitions(struct bytes *page, const struct bytes *present) {
    size_t at = page->length;
    append_number(page, 0, 4);
    for (size_t i = 0, end; i < present->length; i = end) {
        for (end = i + 1; end < present->length && present->data[end] == present->data[i];)
            end++;
        append_varint(page, (end - i) << 1);
        append_byte(page, present->data[i]);
    }
    size_t length = page->length - at - 4;
    for (unsigned i = 0; i < 4; i++)
        page->data[at + i] = (uint8_t)(length >> 8 * i);
}

/* gzip's format, at the level that is fast. */
static bool compress_page(const struct bytes *page, struct bytes *compressed) {
    z_stream stream = {.next_in = page->data, .avail_in = (uInt)page->length};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    size_t room = deflateBound(&stream, page->length);
    stream.next_out = reserve(compressed, room);
    stream.avail_out = (uInt)room;
    bool good = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    compressed->length = stream.total_out;
    deflateEnd(&stream);
    return good;
}

/* One page with the column's values of this group; its description goes to `about`, of a structure for the
   group. Returns the bytes before compression. */
static int64_t write_column(struct parquet *parquet, struct column *column, struct bytes *about) {
    struct bytes page = {0}, compressed = {0}, header = {0};
    int64_t offset = parquet->written;
    append_definitions(&page, &column->present);
    append_bytes(&page, column->values.data, column->values.length);
    if (!compress_page(&page, &compressed))
        abort();
    struct thrift to = {&header, 0}, inner = {&header, 0};
    thrift_i32(&to, PAGE_TYPE, PAGE_DATA);
    thrift_i32(&to, PAGE_PLAIN_BYTES, (int32_t)page.length);
    thrift_i32(&to, PAGE_BYTES, (int32_t)compressed.length);
    thrift_field(&to, PAGE_DATA_HEADER, THRIFT_STRUCT);
    thrift_i32(&inner, DATA_VALUES, (int32_t)parquet->rows);
    thrift_i32(&inner, DATA_ENCODING, ENCODING_PLAIN);
    thrift_i32(&inner, DATA_DEFINITIONS, ENCODING_RLE);
    thrift_i32(&inner, DATA_REPETITIONS, ENCODING_RLE);
    end_structure(&inner);
    end_structure(&to);
    write_bytes(parquet, header.data, header.length);
    write_bytes(parquet, compressed.data, compressed.length);

    int64_t plain = (int64_t)(header.length + page.length);
    struct thrift chunk = {about, 0}, data = {about, 0};
    thrift_i64(&chunk, CHUNK_OFFSET, offset);
    thrift_field(&chunk, CHUNK_ABOUT, THRIFT_STRUCT);
    thrift_i32(&data, ABOUT_TYPE, types[column->type].physical);
    thrift_list(&data, ABOUT_ENCODINGS, THRIFT_I32, 2);
    append_zigzag(about, ENCODING_PLAIN);
    append_zigzag(about, ENCODING_RLE);
    thrift_list(&data, ABOUT_PATH, THRIFT_BINARY, 1);
    append_text(about, column->title);
    thrift_i32(&data, ABOUT_CODEC, CODEC_GZIP);
    thrift_i64(&data, ABOUT_VALUES, parquet->rows);
    thrift_i64(&data, ABOUT_PLAIN_BYTES, plain);
    thrift_i64(&data, ABOUT_BYTES, parquet->written - offset);
    thrift_i64(&data, ABOUT_PAGE, offset);
    end_structure(&data);
    end_structure(&chunk);
    column->values.length = column->present.length = 0;
    free(page.data);
    free(compressed.data);
    free(header.data);
    return plain;
}

static void write_group(struct parquet *parquet) {
    struct thrift to = {&parquet->groups, 0};
    int64_t plain = 0;
    if (parquet->rows == 0)
        return;
    thrift_list(&to, GROUP_COLUMNS, THRIFT_STRUCT, parquet->column_count);
    for (uint32_t i = 0; i < parquet->column_count; i++)
        plain += write_column(parquet, &parquet->columns[i], &parquet->groups);
    thrift_i64(&to, GROUP_BYTES, plain);
    thrift_i64(&to, GROUP_ROW_COUNT, parquet->rows);
    end_structure(&to);
    parquet->group_count++;
    parquet->all_rows += parquet->rows;
    parquet->rows = 0;
}

void parquet_row(struct parquet *parquet, const struct cell *cells) {
    bool is_full = false;
    for (uint32_t i = 0; i < parquet->column_count; i++) {
        struct column *column = &parquet->columns[i];
        append_byte(&column->present, !cells[i].missing);
        if (cells[i].missing)
            continue;
        if (column->type == ROW_TEXT) {
            size_t length = strlen(cells[i].value.text);
            append_number(&column->values, length, 4);
            append_bytes(&column->values, cells[i].value.text, length);
        } else {
            uint64_t bits;
            memcpy(&bits, &cells[i].value, sizeof bits);
            append_number(&column->values, bits, 8);
        }
        is_full |= column->values.length >= COLUMN_BYTES;
    }
    if (++parquet->rows == GROUP_ROWS || is_full)
        write_group(parquet);
}

static void append_schema(struct bytes *footer, const struct parquet *parquet) {
    struct thrift root = {footer, 0};
    thrift_text(&root, SCHEMA_NAME, "rows");
    thrift_i32(&root, SCHEMA_CHILDREN, (int32_t)parquet->column_count);
    end_structure(&root);
    for (uint32_t i = 0; i < parquet->column_count; i++) {
        const struct column *column = &parquet->columns[i];
        struct thrift to = {footer, 0};
        thrift_i32(&to, SCHEMA_TYPE, types[column->type].physical);
        thrift_i32(&to, SCHEMA_REPETITION, REPETITION_OPTIONAL);
        thrift_text(&to, SCHEMA_NAME, column->title);
        if (types[column->type].converted >= 0)
            thrift_i32(&to, SCHEMA_CONVERTED, types[column->type].converted);
        end_structure(&to);
    }
}

static void write_footer(struct parquet *parquet) {
    struct bytes footer = {0}, length = {0};
    struct thrift to = {&footer, 0};
    thrift_i32(&to, FILE_VERSION, 1);
    thrift_list(&to, FILE_SCHEMA, THRIFT_STRUCT, parquet->column_count + 1);
    append_schema(&footer, parquet);
    thrift_i64(&to, FILE_ROWS, parquet->all_rows);
    thrift_list(&to, FILE_GROUPS, THRIFT_STRUCT, parquet->group_count);
    append_bytes(&footer, parquet->groups.data, parquet->groups.length);
    thrift_text(&to, FILE_CREATED_BY, "atomc");
    end_structure(&to);
    append_number(&length, footer.length, 4);
    write_bytes(parquet, footer.data, footer.length);
    write_bytes(parquet, length.data, length.length);
    write_bytes(parquet, mark, strlen(mark));
    free(footer.data);
    free(length.data);
}

void parquet_end(struct parquet *parquet) {
    write_group(parquet);
    write_footer(parquet);
    for (uint32_t i = 0; i < parquet->column_count; i++) {
        free(parquet->columns[i].title);
        free(parquet->columns[i].values.data);
        free(parquet->columns[i].present.data);
    }
    free(parquet->columns);
    free(parquet->groups.data);
    free(parquet);
}
