/* pieces.c: the buffer of the characters of reports, and the pieces that are written to it: texts and
   numbers. Requires an open stream. Write errors show when it is closed. */
#define _GNU_SOURCE
#include "runtime/report/internal.h"
#include "stdtools/table.h"
#include "support/controls.h"

char atomc_pending[PENDING + 2 * WORD] __attribute__((aligned(8)));
size_t atomc_pending_count;
FILE *atomc_pending_stream;
struct known_text atomc_texts_of_table[TABLE_TEXTS];

void atomc_flush_pending(FILE *stream) {
    if (atomc_pending_count > 0)
        fwrite(atomc_pending, 1, atomc_pending_count, stream);
    atomc_pending_count = 0;
    atomc_pending_stream = NULL;
}

void atomc_write_pending(void) {
    if (atomc_pending_stream)
        atomc_flush_pending(atomc_pending_stream);
}

void atomc_put_bytes(FILE *stream, const char *bytes, size_t count) {
    need_stream_room(stream, count);
    if (count > PENDING) {
        fwrite(bytes, 1, count, stream);
        return;
    }
    atomc_pending_count =
        (size_t)(store_text(atomc_pending + atomc_pending_count, bytes, count) - atomc_pending);
}

void atomc_put_text(FILE *stream, const char *text) {
    atomc_put_bytes(stream, text, strlen(text));
}

static unsigned breaks_of(unsigned char byte) {
    unsigned json = byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\' ? BREAKS_JSON : 0;
    return json | (byte < 0x20 || byte == 0x7f ? BREAKS_TEXT | BREAKS_CSV : 0) |
           (byte == ',' || byte == '"' ? BREAKS_CSV : 0);
}

/* True if all characters of the word are letters, digits, or signs that need no treatment: ASCII from '-'
   on, except for the backslash. */
static int is_harmless_word(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 255, highest = ones << 7;
    uint64_t less = (word - ones * '-') & ~word, other = word ^ ones * '\\';
    return !((word | less | (word + ones) | ((other - ones) & ~other)) & highest);
}

struct piece atomc_look_at(const char *text) {
    struct piece piece = {.text = text, .breaks = is_formula(text) ? BREAKS_CSV : 0};
    if (is_aligned(text)) {
        const uint64_t ones = UINT64_MAX / 255;
        const text_word *words = (const text_word *)(const void *)text;
        uint64_t word, there;
        while (is_harmless_word(word = load_word(words + piece.length / WORD)))
            piece.length += WORD;
        there = before_zero(word); /* its last characters, in one step */
        if (there >> (8 * WORD - 8) == 0 && is_harmless_word((word & there) | (ones * '0' & ~there))) {
            piece.length += (there & ones) * ones >> (8 * WORD - 8);
            return piece;
        }
    }
    for (unsigned char byte; (byte = (unsigned char)text[piece.length]) != 0; piece.length++)
        if ((unsigned)(byte - '-') >= 'z' - '-' ||
            byte == '\\') { /* all others are letters, digits, and characters without special treatment */
            const unsigned char *at = (const unsigned char *)text + piece.length;
            size_t length = shown_character(at);
            piece.breaks |= breaks_of(byte) | (is_control(at, length) ? BREAKS_TEXT | BREAKS_CSV : 0);
            piece.length += length - 1;
        }
    return piece;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

int atomc_is_absent(const struct atomc_table *table, const struct atomc_report_column *here) {
    const struct atomc_report_instruction *code =
        AT(struct atomc_report_instruction, here->value.instructions);
    for (uint64_t i = 0; table->is_other && i < here->value.count; i++)
        if (code[i].op == ATOMC_REPORT_KEY)
            return 1;
    return 0;
}

void atomc_put_number(const struct atomc_table *table, uint64_t column, int64_t value) {
    if (atomc_is_absent(table, report_column(table, column))) {
        atomc_put_text(table->stream, ATOMC_OTHER_KEYS);
        return;
    }
    need_stream_room(table->stream, NUMBER);
    atomc_pending_count = (size_t)(store_number(atomc_pending + atomc_pending_count, table,
                                                report_column(table, column), value) -
                                   atomc_pending);
}

void atomc_put_total(const struct atomc_table *table, uint64_t column, const int64_t *sums) {
    int has_sum = atomc_is_summed(report_column(table, column));
    if (column == 0)
        atomc_put_text(table->stream, has_sum ? "total " : "total");
    if (has_sum)
        atomc_put_number(table, column, sums[column]);
}

void atomc_write_no_row(struct atomc_table *table, const int64_t *values) {
    (void)table, (void)values;
}
