#include "table.h"
void Table(void) {
    atomc_begin_table("titles", "table.out", "#Here|#There|#Here");
    atomc_add_row(1L, 2L, 3L);
    atomc_end_table();
    atomc_begin_table("titles", "other.out", "#There|#Here|#There");
    atomc_add_row(1L, 2L, 3L);
    atomc_end_table();
}
