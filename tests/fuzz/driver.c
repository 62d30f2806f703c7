/* driver.c: runs a libFuzzer harness without clang: changes the files of a corpus, the same way for the same
   seed. Requires: one LLVMFuzzerTestOneInput linked to it; best built with gcc's sanitizers.

   Use: HARNESS [-runs=N] [-seconds=N] [-seed=N] [-max_len=N] [-dict=FILE] [-save=FILE] CORPUS...
   First each file of the corpus (files, or folders of files) as it is, then N changed ones; what a crash or a
   run of more than 10 seconds was given is left in FILE (default fuzz-input). With one file and -runs=0:
   repeats that. */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

struct text {
    unsigned char *data;
    size_t size;
};
struct texts {
    struct text *items;
    size_t count;
};
static struct texts corpus, dictionary;
static size_t max_length = 4096;
static const char *save_path = "fuzz-input";

/* What runs now, for the report of a crash. */
static struct text current;

static void fail(const char *what) {
    perror(what);
    exit(2);
}
static void *grow(void *memory, size_t bytes) {
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory)
        fail("fuzz");
    return memory;
}

/* ---- the corpus and the dictionary ------------------------------------------------------------- */

static void add(struct texts *texts, const void *data, size_t size) {
    texts->items = grow(texts->items, (texts->count + 1) * sizeof *texts->items);
    struct text *text = &texts->items[texts->count++];
    *text = (struct text){grow(NULL, size), size};
    memcpy(text->data, data, size);
}

static void read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (!file || fstat(fileno(file), &facts))
        fail(path);
    unsigned char *data = grow(NULL, facts.st_size);
    size_t size = fread(data, 1, facts.st_size, file);
    fclose(file);
    add(&corpus, data, size);
    free(data);
}

static int by_name(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name); /* not by the locale: every machine has one order */
}

static void read_corpus(const char *path) {
    struct stat facts;
    if (stat(path, &facts))
        fail(path);
    if (!S_ISDIR(facts.st_mode)) {
        read_whole(path);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (!stat(name, &facts) && S_ISREG(facts.st_mode))
            read_whole(name);
        free(entries[i]);
    }
    free(entries);
}

/* Lines "word", as libFuzzer has them, without escapes. */
static void read_dictionary(const char *path) {
    FILE *file = fopen(path, "r");
    char line[256];
    if (!file)
        fail(path);
    while (fgets(line, sizeof line, file)) {
        char *first = strchr(line, '"'), *last = strrchr(line, '"');
        if (first && last > first + 1)
            add(&dictionary, first + 1, last - first - 1);
    }
    fclose(file);
}

/* ---- changes ----------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t next_random(void) { /* xorshift64* */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545f4914f6cdd1d;
}
static size_t below(size_t limit) {
    return limit ? (next_random() >> 16) % limit : 0;
}

/* Binary files have what matters at both ends. */
static size_t position(const struct text *text) {
    size_t edge = text->size < 4096 ? text->size : 4096;
    switch (below(4)) {
    case 0:
        return below(edge);
    case 1:
        return text->size - 1 - below(edge);
    default:
        return below(text->size);
    }
}

/* Replaces `removed` bytes at `at` by `size` others. */
static void splice(struct text *text, size_t at, size_t removed, const unsigned char *data, size_t size) {
    size_t after = text->size - at - removed;
    if (at + size + after > max_length)
        return;
    unsigned char *whole = grow(NULL, at + size + after); /* the data may be the text's own */
    memcpy(whole, text->data, at);
    if (size > 0)
        memcpy(whole + at, data, size);
    memcpy(whole + at + size, text->data + at + removed, after);
    free(text->data);
    *text = (struct text){whole, at + size + after};
}

static void change(struct text *text) {
    static const uint64_t extremes[] = {0,      1,      0x7f,       0x80,       0xff,
                                        0x7fff, 0xffff, 0x7fffffff, 0xffffffff, UINT64_MAX / 2};
    if (text->size == 0) {
        splice(text, 0, 0, (const unsigned char *)"{", 1);
        return;
    }
    size_t at = position(text), length = 1 + below(text->size - at < 64 ? text->size - at : 64);
    const struct text *other = &corpus.items[below(corpus.count)];
    switch (below(dictionary.count ? 9 : 7)) {
    case 0:
        text->data[at] ^= 1u << below(8);
        break;
    case 1:
        text->data[at] = (unsigned char)next_random();
        break;
    case 2: { /* a number, at its natural alignment */
        uint64_t number =
            below(2) ? extremes[below(sizeof extremes / sizeof *extremes)] : next_random() >> below(64);
        size_t size = (size_t)1 << below(4);
        at &= ~(size - 1);
        if (at + size <= text->size)
            memcpy(text->data + at, &number, size);
        break;
    }
    case 3:
        splice(text, at, length, NULL, 0);
        break;
    case 4: /* again elsewhere */
        splice(text, position(text), 0, text->data + at, length);
        break;
    case 5: /* over something of the same length */
        memmove(text->data + below(text->size - length + 1), text->data + at, length);
        break;
    case 6:
        if (other->size > 0) {
            size_t from = below(other->size),
                   some = 1 + below(other->size - from < 256 ? other->size - from : 256);
            splice(text, at, below(2) ? length : 0, other->data + from, some);
        }
        break;
    default: {
        const struct text *word = &dictionary.items[below(dictionary.count)];
        splice(text, at, below(2) ? length : 0, word->data, word->size);
        break;
    }
    }
}

/* ---- runs -------------------------------------------------------------------------------------- */

static void save(void) {
    FILE *file = fopen(save_path, "wb");
    if (file) {
        fwrite(current.data, 1, current.size, file);
        fclose(file);
        fprintf(stderr, "fuzz: the input is in %s\n", save_path);
    }
}
static void on_signal(int signal) {
    fprintf(stderr, "fuzz: %s\n",
            signal == SIGPROF ? "no end after 10 seconds of CPU time" : strsignal(signal));
    save();
    _exit(signal == SIGPROF ? 70 : 77);
}

/* CPU time: a busy machine gives the process little of it. 0: no limit. */
static void limit_time(time_t seconds) {
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void run(const struct text *text) {
    current = *text;
    limit_time(10);
    LLVMFuzzerTestOneInput(text->data, text->size);
    limit_time(0);
}

static bool option(const char *argument, const char *name, const char **value) {
    size_t length = strlen(name);
    if (strncmp(argument, name, length) || argument[length] != '=')
        return false;
    *value = argument + length + 1;
    return true;
}

int main(int argc, char **argv) {
    unsigned long runs = 1000, seconds = 0, done = 0;
    const char *value;
    random_state = 1;
    for (int i = 1; i < argc; i++) {
        if (option(argv[i], "-runs", &value))
            runs = strtoul(value, NULL, 0);
        else if (option(argv[i], "-seconds", &value))
            seconds = strtoul(value, NULL, 0);
        else if (option(argv[i], "-seed", &value))
            random_state = strtoul(value, NULL, 0) * 2 + 1;
        else if (option(argv[i], "-max_len", &value))
            max_length = strtoul(value, NULL, 0);
        else if (option(argv[i], "-dict", &value))
            read_dictionary(value);
        else if (option(argv[i], "-save", &value))
            save_path = value;
        else if (argv[i][0] == '-')
            return fprintf(stderr, "fuzz: unknown option %s\n", argv[i]), 2;
        else
            read_corpus(argv[i]);
    }
    if (corpus.count == 0)
        return fprintf(stderr, "fuzz: the corpus is empty\n"), 2;
    signal(SIGPROF, on_signal);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(save);
    else
        signal(SIGSEGV, on_signal);
    signal(SIGABRT, on_signal);
    for (size_t i = 0; i < corpus.count; i++)
        run(&corpus.items[i]);
    time_t end = seconds ? time(NULL) + (time_t)seconds : 0;
    for (; done < runs && (!end || time(NULL) < end); done++) {
        const struct text *original = &corpus.items[below(corpus.count)];
        struct text text = {grow(NULL, original->size), original->size};
        memcpy(text.data, original->data, text.size);
        for (size_t changes = 1 + below(1 + below(16)); changes > 0; changes--)
            change(&text);
        run(&text);
        free(text.data);
    }
    printf("%zu files, %lu changed ones\n", corpus.count, done);
    return 0;
}
