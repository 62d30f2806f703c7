/* updates.c: finds the update of a counter's cell that was interrupted (engine/code/updates.c).
   Compiled without floating-point registers. */
#include "updates.h"

int atomc_find_update(const struct atomc_image *image, uint64_t pc, struct atomc_update *update) {
    const uint16_t *updates = (const uint16_t *)(uintptr_t)image->updates;
    const uint32_t *pages = (const uint32_t *)(uintptr_t)image->update_pages;
    if (!updates || pc < image->copies || pc >= image->copies_end)
        return 0;
    uint64_t word = (pc - image->copies) / 4, page = word / ATOMC_UPDATE_PAGE;
    uint64_t low = pages[page], high = pages[page + 1];
    while (low < high) { /* the first one that begins after it */
        uint64_t middle = low + (high - low) / 2;
        if (updates[middle] / ATOMC_UPDATE_WORDS <= word % ATOMC_UPDATE_PAGE)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == pages[page]) { /* the last one of the page before */
        if (page == 0 || low == pages[--page])
            return 0;
    }
    uint64_t first = page * ATOMC_UPDATE_PAGE + updates[low - 1] / ATOMC_UPDATE_WORDS;
    uint64_t last = first + updates[low - 1] % ATOMC_UPDATE_WORDS;
    update->begin = image->copies + 4 * first;
    update->end = image->copies + 4 * last + 4;
    return word > first && word <= last;
}
