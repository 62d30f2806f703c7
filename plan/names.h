/* names.h: the symbols by which a tool's C refers to values that the engine fills in, shared by the
   generated header and the engine. They contain dots, so that no name of C is equal to one of them. */
#ifndef ATOMC_PLAN_NAMES_H
#define ATOMC_PLAN_NAMES_H

#define SYMBOL_OF_COUNT    "atomc.count." /* long: the number of members of a set */
#define SYMBOL_OF_CELLS    "atomc.cells." /* const volatile long *: the cells of a counter or a histogram */
#define SYMBOL_OF_ORIGINAL "atomc.original." /* the procedure that a routine replaces */
#define SYMBOL_OF_UNLOCKED "atomc.unlocked." /* an alias of a variable that may be read without the lock */

#endif
