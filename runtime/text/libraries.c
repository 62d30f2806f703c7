/* libraries.c: instrumented libraries. After the dynamic linker has mapped the text of a library, branches to
   the copies are written into the text in memory, and constants in the copies that are addresses in the
   library are filled in. The file does not change. Requires a mapping found by objects.c. Compiled without
   floating-point registers. */
#include <sys/mman.h>

#include "runtime/text/internal.h"

/* For each library in atomc_image.libraries. */
static struct {
    int seen;     /* the library has been in memory */
    int doubled;  /* reported: it is loaded a second time */
    long loading; /* its number in loading order; 0: the calls after loading have been made */
    long in_pool; /* the distance that the constants have */
} states[LIBRARIES];

static int is_as_large(int file, long size) {
    char byte;
    return RAW(CALL_pread64, file, &byte, 1, size - 1, 0, 0) == 1 &&
           RAW(CALL_pread64, file, &byte, 1, size, 0, 0) == 0;
}

static uint64_t hash_start(int file) {
    uint64_t words[ATOMC_HASHED / 8], hash = 14695981039346656037ul;
    long got = RAW(CALL_pread64, file, words, sizeof words, 0, 0, 0);
    for (long i = got; i > 0 && i % 8; i++)
        ((char *)words)[i] = 0;
    for (long i = 0; 8 * i < got; i++)
        hash = (hash ^ words[i]) * 1099511628211ul;
    return hash;
}

/* The library of the file, loaded or not yet loaded; -1: there is none. */
static long find_library(int file, int loaded) {
    uint64_t hash = atomc_image.library_count ? hash_start(file) : 0;
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        if (library_at(k)->hash == hash && atomc_library_is_loaded(k) == loaded &&
            is_as_large(file, (long)library_at(k)->size))
            return (long)k;
    return -1;
}

long atomc_find_library(int file) {
    return find_library(file, 0);
}

const struct atomc_library_calls *atomc_find_library_calls(int file) {
    const struct atomc_library_calls *calls = (const struct atomc_library_calls *)atomc_image.library_calls;
    struct file_status status;
    if (STATUS_OF(file, &status) != 0)
        return 0;
    for (unsigned long k = 0; k < atomc_image.library_calls_count; k++)
        if (calls[k].size == (uint64_t)status.size && calls[k].modified == status.modified &&
            calls[k].modified_nanoseconds == status.modified_nanoseconds && calls[k].hash == hash_start(file))
            return &calls[k];
    return 0;
}

static void set_constants(unsigned long number, long distance) {
    const uint32_t *constants = (const uint32_t *)library_at(number)->constants;
    long *pool = (long *)(unsigned long)atomc_image.layout.pool;
    for (unsigned long i = 0; i < library_at(number)->constant_count; i++)
        pool[constants[i]] += distance - states[number].in_pool;
    states[number].in_pool = distance;
}

/* ---- loading, unloading ------------------------------------------------------------------------------------- */

void atomc_enter_library(long number, long bias, unsigned long *springboards,
                         unsigned long *springboards_end) {
    const struct atomc_library *entered = library_at((unsigned long)number);
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    long distance = bias - (long)entered->base;
    uint32_t *text = (uint32_t *)((long)entered->text + distance);
    atomc_set_traps(entered, text);
    for (unsigned long i = 0; i < atomc_image.patched_count; i++)
        if (patched[i].instruction - entered->first < entered->count)
            text[patched[i].instruction - entered->first] = atomc_spill_word(patched[i].now);
    *springboards = *springboards_end = 0;
    if (entered->springboard_count > 0) {
        long begin = (long)entered->springboards_address + distance,
             size = 4 * (long)entered->springboard_count;
        const uint32_t *words = (const uint32_t *)entered->springboards;
        RAW(CALL_mmap, begin, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        for (unsigned long i = 0; i < entered->springboard_count; i++)
            ((uint32_t *)begin)[i] = atomc_spill_word(words[i]);
        RAW(CALL_mprotect, begin, size, PROT_READ | PROT_EXEC, 0, 0, 0);
        *springboards = (unsigned long)begin;
        *springboards_end = (unsigned long)(begin + size);
    }
    set_constants((unsigned long)number, distance);
    atomc_place_library((unsigned long)number, distance);
    states[number].seen = 1;
}

/* ---- calls before and after libraries ---------------------------------------------------------------------- */

static void make_calls(long number, long *registers, uint64_t table, uint64_t count) {
    long own = thread_pointer(), threaded = registers && atomc_threaded;
    if (count == 0)
        return;
    if (threaded)
        atomc_call_lock(atomc_lock);
    if (registers)
        atomc_upcalls.set_registers(registers);
    atomc_registers[ATOMC_REGISTER_BASE] =
        (long)library_at((unsigned long)number)->base + atomc_library_distance((unsigned long)number);
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_make_calls(table, count);
    set_thread_pointer(own);
    if (threaded)
        atomc_call_lock(atomc_unlock);
}

static long loadings;

void atomc_before_library(long number, long *registers) {
    states[number].loading = __sync_add_and_fetch(&loadings, 1);
    make_calls(number, registers, library_at((unsigned long)number)->before,
               library_at((unsigned long)number)->before_count);
}

void atomc_after_library(long number, long *registers) {
    if (!states[number].loading)
        return;
    states[number].loading = 0;
    make_calls(number, registers, library_at((unsigned long)number)->after,
               library_at((unsigned long)number)->after_count);
}

void atomc_after_libraries(void) {
    for (;;) {
        long last = -1;
        for (long k = 0; k < (long)atomc_image.library_count; k++)
            if (states[k].loading && (last < 0 || states[k].loading > states[last].loading))
                last = k;
        if (last < 0)
            return;
        atomc_after_library(last, 0);
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------- */

static long length_of(const char *text) {
    long length = 0;
    while (text[length])
        length++;
    return length;
}

static void report_library(const char *name, const char *what) {
    RAW(CALL_write, 2, "atomc: ", 7, 0, 0, 0);
    RAW(CALL_write, 2, name, length_of(name), 0, 0, 0);
    RAW(CALL_write, 2, what, length_of(what), 0, 0, 0);
}

void atomc_report_thread(void) {
    report_library("the program", " makes a thread, which was not foreseen: some counts may be lost\n");
}

void atomc_report_libraries(void) {
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        if (library_at(k)->needed && !states[k].seen)
            report_library((const char *)library_at(k)->name,
                           " was not instrumented: the process has not loaded this file\n");
}

static const char *file_part(const char *path) {
    const char *part = path;
    for (; *path; path++)
        if (*path == '/')
            part = path + 1;
    return part;
}

static int is_same(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/* As with dlmopen. */
static void check_doubled(int file) {
    long number = find_library(file, 1);
    if (number < 0 || states[number].doubled)
        return;
    states[number].doubled = 1;
    report_library((const char *)library_at((unsigned long)number)->name,
                   " is in memory a second time: only the first copy is instrumented\n");
}

void atomc_check_library(int file) {
    check_doubled(file);
    char link[40] = "/proc/self/fd/", path[1024];
    unsigned at = 14, digits = 1;
    for (int rest = file; rest >= 10; rest /= 10)
        digits++;
    for (unsigned i = digits; i-- > 0; file /= 10)
        link[at + i] = (char)('0' + file % 10);
    link[at + digits] = 0;
    long length = READ_LINK(link, path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        if (!atomc_library_is_loaded(k) && !library_at(k)->needed &&
            is_same(file_part(path), file_part((const char *)library_at(k)->name)))
            report_library(path, " is not instrumented: it is not the file that atomc was given\n");
}
