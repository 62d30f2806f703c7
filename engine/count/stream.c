/* stream.c: numbers in the encoding that the runtime reads: LEB128, and words. Requires nothing. */
#include <string.h>

#include "engine/count/internal.h"

static void add_byte(struct byte_stream *stream, uint8_t byte) {
    ARENA_RESERVE(stream->arena, stream->bytes, stream->count, stream->capacity);
    stream->bytes[stream->count++] = byte;
}

void stream_unsigned(struct byte_stream *stream, uint64_t value) {
    do {
        add_byte(stream, (uint8_t)((value & 127) | (value > 127 ? 128 : 0)));
        value >>= 7;
    } while (value > 0);
}

void stream_signed(struct byte_stream *stream, int64_t value) {
    stream_unsigned(stream, ((uint64_t)value << 1) ^ (value < 0 ? ~UINT64_C(0) : 0));
}

void stream_word(struct byte_stream *stream, uint32_t value, unsigned bytes) {
    ARENA_RESERVE(stream->arena, stream->bytes, stream->count + bytes, stream->capacity);
    memcpy(stream->bytes + stream->count, &value, bytes); /* little-endian, like the host */
    stream->count += bytes;
}
