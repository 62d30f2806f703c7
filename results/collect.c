/* collect.c: atomc collect: the results of many runs in one SQLite file. What is there already is not added
   again: a run is known by its key, or by the contents of its files. */
#include "results/results.h"

bool collect_results(const struct request *request) {
    struct store store;
    uint32_t added = 0;
    bool good = store_open(&store, request->output, STORE_WRITE, request->diagnostics);
    for (uint32_t i = 0; i < request->input_count && good; i++) {
        int64_t run;
        bool is_new;
        good = store_collect(&store, request->inputs[i], &run, &is_new);
        added += is_new;
    }
    if (good)
        printf("%s: %u runs, %u of them new\n", request->output, request->input_count, added);
    store_close(&store);
    return good;
}
