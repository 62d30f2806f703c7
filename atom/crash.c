/* crash.c: a crash, or an exit, in the user's code is reported as the user's, with the lines that led to it.
   Requires user_code_begin(). Memory may be damaged: the report is made by a fresh atomc, which this process
   becomes. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "atom/internal.h"

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof crashes[0], DEEPEST = 12, DIGITS = 18 };
#define REPORT_WORD "--report-crash" /* atomc REPORT_WORD SIGNAL DIRECTORY LIBRARY BASE ADDRESS... */

static const struct atom_library *running;
static int directory = -1; /* atomc's working directory: the user's code may change it */
static struct sigaction saved[CRASHES];
static char *arguments[DEEPEST + 8], numbers[DEEPEST + 2][DIGITS + 1];
static int argument_count;
static char signal_stack[64 << 10];

static void put_number(char *text, uint64_t number) {
    for (int i = DIGITS - 1; i >= 0; i--, number >>= 4)
        text[i] = "0123456789abcdef"[number & 15];
    text[DIGITS] = '\0';
}

static void return_to_directory(void) {
    if (directory < 0)
        return;
    if (fchdir(directory) != 0)
        _exit(1);
    close(directory);
    directory = -1;
}

/* The frames in the user's code, innermost first. From here on only system calls are made. */
static _Noreturn void become_report(int signal_number, const void *crashed, const void *const *frames,
                                    int count) {
    int used = argument_count, user = 0;
    put_number(numbers[0], (uint64_t)signal_number);
    for (int i = 0; i < count && user < DEEPEST; i++) {
        if (!library_contains(running, frames[i]))
            continue;
        /* A return address belongs to the call before it. */
        put_number(numbers[2 + user], (uint64_t)(uintptr_t)frames[i] - (frames[i] != crashed));
        arguments[used++] = numbers[2 + user++];
    }
    arguments[used] = NULL;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return_to_directory();
    execv("/proc/self/exe", arguments);
    _exit(1);
}

static volatile sig_atomic_t crashing;

/* The address of the crash; NULL if the context is unknown on this machine. */
static const void *crash_address(const void *context) {
#if defined __x86_64__
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (const void *)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

static void on_crash(int number, siginfo_t *information, void *context) {
    (void)information;
    void *frames[DEEPEST + 8];
    int count = 0;
    if (!crashing) { /* a second crash: the stack is damaged, so frames cannot be determined */
        crashing = 1;
        count = backtrace(frames, DEEPEST + 8);
    }
    become_report(number, crash_address(context), (const void *const *)frames, count);
}

/* The user's code called exit(). */
static void at_exit(void) {
    void *frames[DEEPEST];
    if (!running)
        return;
    fflush(NULL);
    int count = backtrace(frames, DEEPEST);
    become_report(0, NULL, (const void *const *)frames, count);
}

static void prepare(const struct atom_library *library) {
    static bool prepared;
    const char *directory = temporary_directory();
    free(arguments[3]);
    free(arguments[4]);
    put_number(numbers[1], (uint64_t)library_base(library));
    arguments[0] = (char *)"atomc";
    arguments[1] = (char *)REPORT_WORD;
    arguments[2] = numbers[0];
    arguments[3] = duplicate_string(directory ? directory : "");
    arguments[4] = duplicate_string(atom_library_path(library));
    arguments[5] = numbers[1];
    argument_count = 6;
    if (prepared)
        return;
    prepared = true;
    void *frame;
    backtrace(&frame, 1); /* loads the libraries that it needs */
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    sigaltstack(&stack, NULL);
    atexit(at_exit);
}

void user_code_begin(const struct atom_library *library) {
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const struct atom_library *latest;
    if (library != latest)
        prepare(library);
    latest = library;
    if (directory < 0)
        directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    running = session.running = library;
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &action, &saved[i]);
}

void user_code_end(void) {
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &saved[i], NULL);
    running = session.running = NULL;
    return_to_directory();
}

/* ---- the report ----------------------------------------------------------------------------------------- */

static const char *describe_signal(int number) {
    switch (number) {
    case SIGSEGV:
        return "crashed: a bad address (SIGSEGV)";
    case SIGBUS:
        return "crashed: a bad address (SIGBUS)";
    case SIGILL:
        return "crashed: an invalid instruction (SIGILL)";
    case SIGFPE:
        return "crashed: division by zero or the like (SIGFPE)";
    case SIGABRT:
        return "called abort, itself or through the C library (SIGABRT)";
    default:
        return "called exit";
    }
}

static char *spell_frame(Dwarf *dwarf, uint64_t address) {
    const char *file;
    uint32_t line;
    Dwarf_Die unit, *scopes = NULL;
    const char *function = "?";
    if (!dwarf || !dwarf_addrdie(dwarf, address, &unit))
        return format_string("0x%llx", (unsigned long long)address);
    int count = dwarf_getscopes(&unit, address, &scopes);
    for (int i = 0; i < count; i++)
        if (dwarf_tag(&scopes[i]) == 0x2e && dwarf_diename(&scopes[i])) { /* DW_TAG_subprogram */
            function = dwarf_diename(&scopes[i]);
            break;
        }
    char *text = debug_line(dwarf, address, &file, &line) ? format_string("%s:%u: %s", file, line, function)
                                                          : format_string("%s", function);
    free(scopes);
    return text;
}

static void print_report(int count, char **words) {
    int number = (int)strtol(words[2], NULL, 16), file = open(words[4], O_RDONLY | O_CLOEXEC);
    uint64_t base = strtoull(words[5], NULL, 16);
    Dwarf *dwarf = file >= 0 ? dwarf_begin(file, DWARF_C_READ) : NULL;
    struct diagnostics *diagnostics = diagnostics_create();
    char *trace = duplicate_string("");
    for (int i = 6; i < count; i++) {
        uint64_t address = strtoull(words[i], NULL, 16) - base;
        char *frame = spell_frame(dwarf, address);
        char *longer = format_string("%s\n    %s%s", trace, i == 6 ? "at " : "called at ", frame);
        free(trace);
        free(frame);
        trace = longer;
    }
    diagnose(diagnostics, NULL, MESSAGE_ATOM_CRASH, describe_signal(number), trace);
    diagnostics_print(diagnostics, stderr);
    diagnostics_destroy(diagnostics);
    free(trace);
    dwarf_end(dwarf);
    if (file >= 0)
        close(file);
}

bool atom_reports_crash(int count, char **words, int *status) {
    if (count < 6 || strcmp(words[1], REPORT_WORD) != 0)
        return false;
    print_report(count, words);
    adopt_temporary_directory(words[3]);
    *status = 1;
    return true;
}
