/* prints.c: statements with `print`, and statements that compare texts. Each line is written by one call,
   so that lines of several processes do not mix. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "runtime/commands/internal.h"
#include "runtime/report/report.h"
#include "support/controls.h"

static int64_t compare_values(uint64_t op, int64_t left, int64_t right) {
    (void)op;
    return fnmatch((const char *)right, (const char *)left, 0) == 0;
}

/* ---- where it goes ------------------------------------------------------------------------------------- */

/* Processes that fork share the file: each line is appended to it. */
static struct destination {
    const char *name;
    int descriptor; /* -1: it cannot be written, and an error has been reported */
    struct destination *next;
} * destinations;

static int descriptor_of(const char *name) {
    struct destination *at = destinations;
    while (at && strcmp(at->name, name) != 0)
        at = at->next;
    if (at)
        return at->descriptor;
    at = malloc(sizeof *at);
    if (!at)
        abort();
    *at = (struct destination){name, atomc_open_lines(name), destinations};
    destinations = at;
    return at->descriptor;
}

/* ---- the line ------------------------------------------------------------------------------------------ */

static struct {
    char *text;
    size_t length, capacity;
} line;

static void need_line_room(size_t bytes) {
    if (line.length + bytes <= line.capacity)
        return;
    line.capacity = 2 * line.capacity + bytes + 1024;
    line.text = realloc(line.text, line.capacity);
    if (!line.text)
        abort();
}

static void add_line_bytes(const char *bytes, size_t count) {
    need_line_room(count);
    memcpy(line.text + line.length, bytes, count);
    line.length += count;
}

/* A terminal must not interpret texts of the program: control characters other than tabs and line feeds are
   shown as \xNN. Returns the text itself, or one that the caller frees. */
static const char *printable_text(const char *text, char **made) {
    size_t length, hidden = 0;
    const unsigned char *at = (const unsigned char *)text;
    for (*made = NULL; *at; at += length) {
        length = shown_character(at);
        hidden += is_control(at, length) && *at != '\t' && *at != '\n' ? length : 0;
    }
    char *to = hidden ? *made = malloc((size_t)(at - (const unsigned char *)text) + 3 * hidden + 1) : NULL;
    if (!to)
        return text;
    for (at = (const unsigned char *)text; *at; at += length) {
        length = shown_character(at);
        int hides = is_control(at, length) && *at != '\t' && *at != '\n';
        for (size_t i = 0; i < length; i++)
            to += sprintf(to, hides ? "\\x%02x" : "%c", at[i]);
    }
    return *made;
}

/* The number of a `*`. */
static int width_of(int64_t value) {
    return value > COMMAND_MOST_WIDTH    ? COMMAND_MOST_WIDTH
           : value < -COMMAND_MOST_WIDTH ? -COMMAND_MOST_WIDTH
                                         : (int)value;
}

/* Returns the address of the next piece's values. */
static const int64_t *add_piece_value(const struct command_piece *piece, const int64_t *values) {
    enum { MOST_DIGITS = 1500 }; /* of a formatted number, including width and precision */
    char format[32], *at = format;
    static const char signs[] = "-0+ #";
    size_t room = MOST_DIGITS;
    *at++ = '%';
    for (int i = 0; signs[i]; i++)
        if (piece->flags & (1U << i))
            *at++ = signs[i];
    at += sprintf(at, "*.*");
    /* A negative width means flag '-', a negative precision none. */
    int width = piece->flags & COMMAND_FLAG_WIDTH ? width_of(*values++) : (int)piece->width;
    int precision = piece->flags & COMMAND_FLAG_PRECISION ? width_of(*values++) : (int)piece->precision;
    int64_t value = *values++;
    char conversion = (char)piece->conversion;
    char *made = NULL;
    const char *text = conversion == 's' ? printable_text((const char *)value, &made) : "";
    room += strlen(text);
    need_line_room(room);
    char *to = line.text + line.length;
    if (conversion == 's') {
        sprintf(at, "s");
        line.length += (size_t)snprintf(to, room, format, width, precision, text);
        free(made);
    } else if (strchr("fFeEgG", conversion)) {
        double number;
        memcpy(&number, &value, sizeof number);
        sprintf(at, "%c", conversion);
        line.length += (size_t)snprintf(to, room, format, width, precision, number);
    } else if (conversion == 'c') {
        sprintf(format, "%%%s*c", piece->flags & COMMAND_FLAG_LEFT ? "-" : "");
        line.length += (size_t)snprintf(to, room, format, width, (int)(unsigned char)value);
    } else {
        sprintf(at, "l%c", conversion == 'p' ? 'x' : conversion);
        if (conversion == 'p')
            add_line_bytes("0x", 2), to += 2;
        line.length += (size_t)snprintf(to, room - 2, format, width, precision, value);
    }
    return values;
}

static void write_printed_line(const char *file) {
    int descriptor = descriptor_of(file);
    size_t done = 0;
    while (descriptor >= 0 && done < line.length) {
        ssize_t written = write(descriptor, line.text + done, line.length - done);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            break;
        done += written > 0 ? (size_t)written : 0;
    }
}

/* ---- limits -------------------------------------------------------------------------------------------- */

static struct command *limited; /* commands that have omitted lines */

static int may_print(struct command *command, struct command_effect *effect) {
    if (effect->limit == 0)
        return 1;
    if (effect->per_second) {
        uint64_t now = (uint64_t)time(NULL);
        if (now != effect->second)
            effect->done = 0;
        effect->second = now;
    }
    if (effect->done < effect->limit) {
        effect->done++;
        return 1;
    }
    const struct command *other = limited;
    while (other && other != command)
        other = (const struct command *)other->next;
    if (!other) {
        command->next = (uintptr_t)limited;
        limited = command;
    }
    effect->left_out++;
    return 0;
}

void atomc_forget_left_out(void) {
    for (struct command *command = limited; command; command = (struct command *)command->next) {
        struct command_effect *effect = (struct command_effect *)in_command(command, command->effects);
        for (uint64_t i = 0; i < command->effect_count; i++, effect++)
            effect->left_out = 0;
    }
}

void atomc_report_prints(void) {
    for (const struct command *command = limited; command; command = (const struct command *)command->next) {
        const struct command_effect *effect = in_command(command, command->effects);
        for (uint64_t i = 0; i < command->effect_count; i++, effect++)
            if (effect->kind == COMMAND_PRINT && effect->left_out)
                fprintf(stderr, "atomc: %s: %lu lines were not printed: the limit is %lu%s\n",
                        (const char *)in_command(command, effect->where), (unsigned long)effect->left_out,
                        (unsigned long)effect->limit, effect->per_second ? " per second" : "");
    }
}

static void print_pieces(struct command *command, struct command_effect *effect, const int64_t *values) {
    const struct command_piece *piece = in_command(command, effect->pieces);
    if (!may_print(command, effect))
        return;
    line.length = 0;
    for (uint64_t i = 0; i < effect->piece_count; i++, piece++) {
        add_line_bytes(in_command(command, piece->text), piece->length);
        if (piece->conversion)
            values = add_piece_value(piece, values);
    }
    write_printed_line(in_command(command, effect->file));
}

void atomc_open_prints(const struct command *command) {
    const struct command_effect *effect = in_command(command, command->effects);
    for (uint64_t i = 0; i < command->effect_count; i++, effect++)
        if (effect->kind == COMMAND_PRINT)
            descriptor_of(in_command(command, effect->file));
}

void atomc_execute_with_texts(struct command *command, ...) {
    va_list list;
    va_start(list, command);
    execute_command(command, list, compare_values, print_pieces, NULL);
    va_end(list);
}

static void execute_with_texts(struct command *command, const long *arguments) {
    execute_effects(command, arguments, compare_values, print_pieces, NULL);
}

void atomc_stack_unwind_with_texts(long thread) {
    struct event event;
    while (atomc_next_event(thread, &event))
        atomc_execute_event(&event, execute_with_texts);
}

void atomc_on_event_with_texts(struct command *command, long event, long number, ...) {
    va_list list;
    va_start(list, number);
    atomc_add_event(command, event, number, list);
    va_end(list);
    atomc_execute_events = atomc_stack_unwind_with_texts;
}
