/* fuzz_compiler.c: any bytes as a tool: scanner, parser, includes, checker, printed plan; for libFuzzer.
   Requires clang and a built tree; needs no program and no analysis code. From the top of the tree:

     FLAGS="-g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
     SOURCES="support/[a-z]*.c plan/[a-z]*.c compiler/[a-z]*.c build/generated/grammar/atd.*.c"
     clang -std=gnu11 $FLAGS -I. -Ibuild/generated tests/fuzz/fuzz_compiler.c $SOURCES -lelf -ldw -o fuzz
     mkdir -p build/corpus; cp tests/atd/errors/[a-z]*.atd build/corpus
     ./fuzz -max_total_time=200 -max_len=3000 build/corpus */
#include <stdlib.h>

#include "compiler/compiler.h"
#include "support/support.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static const struct parameter_definition definitions[] = {{"lines", "64"}, {"a", "x"}, {"b", "-1"}};
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    struct arena *arena = arena_create();
    struct diagnostics *diagnostics = diagnostics_create();
    struct tool *tool =
        tool_parse_text("tests/atd/plans/fuzz.atd", (const char *)data, size, arena, diagnostics);
    if (tool) {
        uint32_t count;
        tool_parameters(tool, &count);
        if (size & 1)
            tool_define(tool, definitions, 3);
        struct plan *plan = tool_compile(tool, NULL, diagnostics);
        if (plan)
            plan_print(plan, nowhere);
        plan_destroy(plan);
    }
    diagnostics_print(diagnostics, nowhere);
    diagnostics_destroy(diagnostics);
    arena_destroy(arena);
    return 0;
}
