/* threads.c: whether a program may make threads.
   Requires its procedures. */
#include "engine/dataflow/internal.h"
#include "engine/rewrite.h"

/* For a program without symbols: true if any code computes flags of clone that make a thread. (ldah, lda;
   <linux/sched.h>) */
static bool makes_thread_flags(const struct program *program) {
    const uint32_t wanted = 0x00010f00; /* CLONE_THREAD, and its shared resources: VM, FS, FILES, SIGHAND */
    const uint32_t others = 0xff0000ff; /* a signal at exit; namespaces */
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint32_t high = program->text[i];
        if (alpha_decode(high)->opcode_id != ALPHA_LDAH || alpha_rb(high) != ALPHA_ZERO)
            continue;
        for (uint32_t k = i + 1; k < program->instruction_count && k < i + 64; k++) {
            uint32_t low = program->text[k];
            uint32_t flags =
                (uint32_t)alpha_memory_displacement(high) * 65536 + (uint32_t)alpha_memory_displacement(low);
            if (alpha_decode(low)->opcode_id == ALPHA_LDA && alpha_rb(low) == alpha_ra(high) &&
                (flags & (wanted | others)) == wanted)
                return true;
        }
    }
    return false;
}

/* A program with symbols, but none for making threads, makes none, unless it calls clone itself: then the
   runtime finds a stack for the thread's calls, but its counts may be lost. posix_spawn's clone makes no
   thread. */
enum threads_reason may_have_threads(const struct program *program) {
    bool symbols = false;
    if (program->interpreter) /* threads are made in a library */
        return program->asks_for_threads ? THREADS_LIBRARY : THREADS_NONE;
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        symbols |= program->procedures[p].origin == PROCEDURE_SYMBOL;
        if (makes_threads(program->procedures[p].name))
            return THREADS_SYMBOL;
    }
    return !symbols && makes_thread_flags(program) ? THREADS_FLAGS : THREADS_NONE;
}

void threads_print(const struct program *program, FILE *stream) {
    static const char *const reasons[] = {
        [THREADS_NONE] = "it has no way to make threads",
        [THREADS_SYMBOL] = "it contains a routine that makes threads",
        [THREADS_LIBRARY] = "it uses libraries that may make threads",
        [THREADS_FLAGS] = "it has no symbols, and computes flags that make a thread",
    };
    fprintf(stream, "%s: %s\n", program->path, reasons[program->threads]);
}
