/* classes.h: the instruction classes, with their .atd words. They are disjoint; every instruction has one
   (ATOM's IClassType). */
#ifndef ATOMC_CODEGEN_CLASSES_H
#define ATOMC_CODEGEN_CLASSES_H

enum instruction_class {
#define CLASS(id, word, help) CLASS_##id,
#include "codegen/classes.def"
#undef CLASS
    CLASS_COUNT
};

#endif
