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
        const struct facts *high = facts_of(program, i);
        if (!(high->flags & FACT_CONSTANT) || high->class != CLASS_ADDRESS)
            continue;
        int64_t upper = constants_of(program, i).value;
        for (uint32_t k = i + 1; upper % 65536 == 0 && k < program->instruction_count && k < i + 64; k++) {
            const struct facts *low = facts_of(program, k);
            if (low->flags & FACT_ADDS_CONSTANT && low->operand[1] == high->operand[0] &&
                ((uint32_t)(upper + constants_of(program, k).value) & (wanted | others)) == wanted)
                return true;
        }
    }
    return false;
}

/* A program with symbols, but without symbols for making threads, makes no threads, unless it calls clone
   itself. Then the runtime finds a stack for the thread's calls, but its counts may be lost. posix_spawn's
   clone makes no thread. */
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
