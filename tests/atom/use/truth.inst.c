/* truth.inst.c: C's boolean type, as result and parameter. */
#include <stdbool.h>
#include <cmplrs/atom.inst.h>
bool chosen(Proc *procedure, bool is_main) {
    return is_main && ProcPC(procedure) != 0;
}
