/* stream.c: numbers as the runtime reads them: LEB128.
   Requires nothing. */
#include "engine/count/internal.h"

void stream_unsigned(struct byte_stream *stream, uint64_t value) {
    do {
        VECTOR_RESERVE(stream->bytes, stream->count, stream->capacity);
        stream->bytes[stream->count++] = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value > 0);
}

void stream_signed(struct byte_stream *stream, int64_t value) {
    stream_unsigned(stream, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}
