/* collect.c: atomc collect: the results of many runs in one SQLite file. Results that are in it already are
   not added again: a run is identified by its key, or by the contents of its files. */
#include "runs/results/results.h"
#include "support/json.h"

bool collect_results(const struct request *request) {
    struct store store;
    uint32_t added = 0;
    json_t *runs = json_array();
    bool good = store_open(&store, request->output, STORE_WRITE, request->diagnostics);
    for (uint32_t i = 0; i < request->input_count && good; i++) {
        int64_t run;
        bool is_new;
        good = store_collect(&store, request->inputs[i], &run, &is_new);
        added += is_new;
        json_array_append_new(runs, json_pack("{s:I, s:b}", "run", (json_int_t)run, "new", is_new));
    }
    if (good && request->json)
        json_print(json_pack("{s:O}", "runs", runs), true, stdout);
    else if (good)
        printf("%s: %u runs, %u of them new\n", request->output, request->input_count, added);
    json_decref(runs);
    store_close(&store);
    return good;
}
