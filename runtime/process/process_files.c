/* process_files.c: the program's own files in /proc, as the program reads them: its executable, and its
   mappings without those of the analysis side. Compiled without floating-point registers. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "runtime/kernel/line.h"
#include "runtime/process/process.h"
#include "runtime/report/report.h"

/* ---- names ------------------------------------------------------------------------------------------------ */

/* The rest of the program's string after `beginning`; NULL if it begins otherwise, or cannot be read. */
static const char *rest_after(const char *text, const char *beginning) {
    for (long first = (long)text; *beginning; text++, beginning++) {
        if (((long)text == first || !((long)text & 7)) && !atomc_is_readable((long)text & -8))
            return NULL;
        if (*text != *beginning)
            return NULL;
    }
    return text;
}

static int text_ends(const char *text) {
    return atomc_is_readable((long)text & -8) && !*text;
}

/* The rest of the name of a file in the process's own directory in /proc. */
static const char *name_in_process(const char *path) {
    struct line own = {.length = 0};
    const char *rest = rest_after(path, "/proc/"), *name = NULL;
    if (!rest)
        return NULL;
    add_number(&own, (unsigned long)process_id(), 10);
    add_text(&own, "/");
    own.text[own.length] = 0;
    name = rest_after(rest, "self/");
    if (!name)
        name = rest_after(rest, "thread-self/");
    return name ? name : rest_after(rest, own.text);
}

static int is_name(const char *name, const char *wanted) {
    const char *rest = rest_after(name, wanted);
    return rest && text_ends(rest);
}

/* ---- mappings --------------------------------------------------------------------------------------------- */

/* A line of the kernel's (proc(5)): addresses, protection, offset, and the rest unchanged, starting with a
   blank.
 */
struct mapping {
    unsigned long begin, end, offset;
    char protection[5];
    const char *rest;
};

static struct {
    char chunk[4096]; /* unprocessed input */
    char line[4096 + 128];
    unsigned length; /* of the current line */
    /* A mapping without access that has not been written yet. The next line may continue it, since atomc uses
       parts of holes. hole.end 0: there is no such mapping. */
    struct mapping hole;
    char hole_rest[512];
    int hole_is_own;   /* atomc uses all of the hole so far: the next part shows the hole's owner */
    unsigned long end; /* end of the last mapping that was shown to the program */
    long to;           /* output descriptor */
    int failed;
} maps;

static void write_text(const char *text, unsigned length) {
    while (length > 0 && !maps.failed) {
        long written = RAW(CALL_write, maps.to, text, length, 0, 0, 0);
        maps.failed = written <= 0 || (unsigned long)written > length;
        text += written;
        length -= (unsigned)written;
    }
}

static void write_mapping_line(const struct mapping *mapping) {
    struct line line = {.length = 0};
    unsigned long digit = 1ul << 28;
    add_number(&line, mapping->begin, 16);
    add_text(&line, "-");
    add_number(&line, mapping->end, 16);
    add_text(&line, " ");
    add_text(&line, mapping->protection);
    add_text(&line, " ");
    for (; digit > 1 && mapping->offset < digit; digit >>= 4) /* at least eight digits */
        add_text(&line, "0");
    add_number(&line, mapping->offset, 16);
    write_text(line.text, line.length);
    write_text(mapping->rest, (unsigned)strlen(mapping->rest));
    write_text("\n", 1);
}

static const char nothing[] = " 00:00 0"; /* the rest of a line of memory without a file */

/* Writes the number of spaces that the emulator writes after it. */
static const char *rest_of_nothing(void) {
    return memcmp(maps.hole_rest, nothing, sizeof nothing - 1) == 0 ? maps.hole_rest : nothing;
}

static int is_closed(const struct mapping *mapping) {
    return memcmp(mapping->protection, "---p", 4) == 0 && strlen(mapping->rest) < sizeof maps.hole_rest;
}
static int is_hole(const struct mapping *mapping) {
    return is_closed(mapping) && memcmp(mapping->rest, nothing, sizeof nothing - 1) == 0;
}

static void write_hole(void) {
    if (maps.hole.end)
        write_mapping_line(&maps.hole);
    maps.hole.end = 0;
}

static void begin_hole(const struct mapping *mapping, int is_own) {
    write_hole();
    memmove(maps.hole_rest, mapping->rest, strlen(mapping->rest) + 1);
    maps.hole = *mapping;
    maps.hole.rest = maps.hole_rest;
    maps.hole_is_own = is_own;
}

/* The program sees a hole between two segments as one mapping, with its file or without one, even if atomc
   uses a part of it. */
static void take_mapping(const struct mapping *mapping, int is_own) {
    int goes_on = maps.hole.end == mapping->begin && maps.hole.end != 0;
    unsigned long offset = is_hole(mapping) ? 0 : maps.hole.offset + (mapping->begin - maps.hole.begin);
    maps.end = mapping->end;
    if (!is_closed(mapping)) {
        write_hole();
        write_mapping_line(mapping);
    } else if (goes_on && maps.hole_is_own && !is_own) { /* this part shows the owner of the whole mapping */
        unsigned long begin = maps.hole.begin, before = mapping->begin - begin;
        maps.hole.end = 0;
        begin_hole(mapping, 0);
        maps.hole.begin = begin;
        maps.hole.offset -= is_hole(mapping) ? 0 : before;
    } else if (goes_on &&
               (is_own || (mapping->offset == offset && strcmp(mapping->rest, maps.hole_rest) == 0))) {
        maps.hole.end = mapping->end;
    } else {
        begin_hole(mapping, is_own);
    }
}

static void show_part(const struct mapping *mapping, unsigned long begin, unsigned long end) {
    struct mapping part = *mapping;
    if (begin >= end)
        return;
    part.begin = begin;
    part.end = end;
    if (part.offset || memcmp(part.rest, nothing, sizeof nothing - 1) != 0)
        part.offset += begin - mapping->begin;
    take_mapping(&part, 0);
}

/* Shows the parts that are not the analysis side's; its parts of a hole of the program are shown as the
   hole. */
static void show_mapping(struct mapping *mapping) {
    struct atomc_own_range own;
    unsigned long at = mapping->begin, text_end = atomc_image.text_address + atomc_image.text_size;
    int in_hole;
    if (is_hole(mapping) && atomc_is_before_text(mapping->begin, mapping->end))
        return;
    if (!atomc_image.text_runs && mapping->begin < text_end && atomc_image.text_address < mapping->end &&
        mapping->protection[0] == 'r')
        mapping->protection[2] = 'x';
    while (at < mapping->end && atomc_next_own(at, &own, &in_hole) && own.begin < mapping->end) {
        unsigned long behind_own = own.end < mapping->end ? own.end : mapping->end;
        show_part(mapping, at, own.begin);
        at = own.begin < at ? at : own.begin;
        if (in_hole && maps.end == at)
            take_mapping(&(struct mapping){at, behind_own, 0, "---p", rest_of_nothing()}, 1);
        at = behind_own;
    }
    show_part(mapping, at, mapping->end);
}

static const char *read_hexadecimal(const char *text, unsigned long *number) {
    for (*number = 0;; text++) {
        int digit = *text >= '0' && *text <= '9'   ? *text - '0'
                    : *text >= 'a' && *text <= 'f' ? *text - 'a' + 10
                                                   : -1;
        if (digit < 0)
            return text;
        *number = *number << 4 | (unsigned long)digit;
    }
}

/* A line of another format stays unchanged. */
static void show_line(void) {
    struct mapping mapping = {.protection = ""};
    maps.line[maps.length] = 0;
    const char *at = read_hexadecimal(maps.line, &mapping.begin);
    at = *at == '-' ? read_hexadecimal(at + 1, &mapping.end) : at;
    if (*at == ' ' && strlen(at) > 6 && at[5] == ' ') {
        memcpy(mapping.protection, at + 1, 4);
        mapping.rest = read_hexadecimal(at + 6, &mapping.offset);
    }
    if (mapping.rest && *mapping.rest == ' ' && mapping.begin < mapping.end) {
        show_mapping(&mapping);
        return;
    }
    write_hole();
    write_text(maps.line, maps.length);
    write_text("\n", 1);
}

static void show_maps(long from, long to) {
    long offset = 0, bytes;
    maps.length = 0;
    maps.hole_rest[0] = 0;
    maps.hole.end = maps.end = 0;
    maps.to = to;
    maps.failed = 0;
    while ((bytes = RAW(CALL_pread64, from, maps.chunk, sizeof maps.chunk, offset, 0, 0)) > 0) {
        for (long i = 0; i < bytes; i++) {
            if (maps.chunk[i] == '\n') {
                show_line();
                maps.length = 0;
            } else if (maps.length < sizeof maps.line - 1) {
                maps.line[maps.length++] = maps.chunk[i];
            }
        }
        offset += bytes;
    }
    write_hole();
    maps.failed |= bytes < 0;
}

/* Opens the file again, as a descriptor with these flags. */
static long open_descriptor_again(long descriptor, long flags) {
    struct line name = {.length = 0};
    add_text(&name, "/proc/self/fd/");
    add_number(&name, (unsigned long)descriptor, 10);
    name.text[name.length] = 0;
    return atomc_open_own(OPEN_OWN(name.text, flags));
}

static void close_own_file(long descriptor) {
    RAW(CALL_close, descriptor, 0, 0, 0, 0, 0);
    atomc_forget_descriptor(descriptor);
}

/* Replaces the program's descriptor by a descriptor of a file in memory, with the same flags. If that is
   impossible, it stays unchanged. */
static void replace_maps(long descriptor) {
    int threaded = atomc_threaded;
    long flags = RAW(CALL_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
    long closes = RAW(CALL_fcntl, descriptor, F_GETFD, 0, 0, 0, 0);
    if (threaded)
        atomc_call_lock(atomc_lock);
    long shown = atomc_open_own(CALL_memfd_create, (long)"maps", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0), again;
    if (shown >= 0) {
        show_maps(descriptor, shown);
        again = maps.failed ? -1 : open_descriptor_again(shown, flags);
        if (again >= 0) {
            RAW(CALL_dup3, again, descriptor, closes & FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, 0);
            close_own_file(again);
        }
        close_own_file(shown);
    }
    if (threaded)
        atomc_call_lock(atomc_unlock);
}

long atomc_call_open(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    int at = registers[NUMBER_REGISTER] == CALL_openat || registers[NUMBER_REGISTER] == CALL_readlinkat;
    int is_link =
        registers[NUMBER_REGISTER] == CALL_readlink || registers[NUMBER_REGISTER] == CALL_readlinkat;
    const char *name = name_in_process((const char *)a[at]);
    if (!name)
        return 0;
    if (is_name(name, "exe"))
        return atomc_own_file_call(registers);
    if (is_link || !is_name(name, "maps"))
        return 0;
    long result = RAW(registers[NUMBER_REGISTER], a[0], a[1], a[2], a[3], 0, 0);
    if (result >= 0 && (a[at + 1] & (O_ACCMODE | O_PATH)) == O_RDONLY)
        replace_maps(result);
    set_result(registers, result);
    return 1;
}
SAME_CALL(openat, open);
SAME_CALL(readlink, open);
SAME_CALL(readlinkat, open);

/* ---- the directory in which reports are written ---- */

long atomc_call_chroot(long *registers) {
    (void)registers;
    const char *name = atomc_start_directory();
    long file = name ? atomc_open_own(OPEN_OWN(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) : -1;
    if (file >= 0)
        atomc_keep_directory((int)file);
    return 0;
}
