/* pairs.h: macros of assembly: two registers are stored at the stack pointer, or loaded, where each register
   has a place by its number. */
        .macro  store_pair kind, first, offset, bytes
        store_pair_of \kind\first, \kind, \first, \offset, \bytes
        .endm
        .altmacro
        .macro  store_pair_of a, kind, first, offset, bytes
        store_two \kind, \first, %\first+1, \offset, \bytes
        .endm
        .macro  store_two kind, first, second, offset, bytes
        stp     \kind\()\first, \kind\()\second, [sp, #\offset+\bytes*\first]
        .endm
        .macro  load_pair kind, first, offset, bytes
        load_two \kind, \first, %\first+1, \offset, \bytes
        .endm
        .macro  load_two kind, first, second, offset, bytes
        ldp     \kind\()\first, \kind\()\second, [sp, #\offset+\bytes*\first]
        .endm
