/* names.c: names of C++, which are shown as people write them. The engine has made their table. */
#define _GNU_SOURCE
#include "runtime/report/internal.h"
#include "stdtools/table.h"

static const struct atomc_shown_name *shown_names;
static uint64_t name_count;

void atomc_prepare_names(const struct atomc_image *image) {
    shown_names = (const struct atomc_shown_name *)(uintptr_t)image->names;
    name_count = image->name_count;
}

const struct atomc_shown_name *atomc_name_of(const char *symbol, size_t length) {
    uint64_t low = 0, high = length > 2 && memcmp(symbol, "_Z", 2) == 0 ? name_count : 0;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const char *other = (const char *)(uintptr_t)shown_names[middle].symbol;
        int order = strncmp(other, symbol, length);
        if (order == 0 && other[length] == '\0')
            return &shown_names[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

int atomc_has_names(void) {
    return name_count > 0;
}

const char *atomc_shown_name(const char *symbol) {
    const struct atomc_shown_name *name = atomc_name_of(symbol, strlen(symbol));
    return name ? (const char *)(uintptr_t)name->whole : symbol;
}

int atomc_has_demangled(const struct atomc_table *table, uint64_t column) {
    static const char *const titles[] = {"Procedure", "Caller", "Callee"};
    const char *title = AT(char, report_column(table, column)->title);
    if (!atomc_has_names() || !is_text(table, column))
        return 0;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (strcmp(title, titles[i]) == 0)
            return 1;
    return report_column(table, column)->is_procedure != 0;
}

const char *atomc_demangled_of(int64_t value) {
    const char *text = value ? AT(char, value) : "", *shown = atomc_shown_name(text);
    return shown != text ? shown : NULL;
}
