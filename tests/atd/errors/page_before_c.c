#include <atomc.h>
void Tick(const char *name) {
    atomc_begin_table("x", name);
}
