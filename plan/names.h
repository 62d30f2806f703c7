/* names.h: the symbols by which the C of a tool knows what the engine fills in, between the generated header
   and the engine. They have dots: no name of C is one. */
#ifndef ATOMC_PLAN_NAMES_H
#define ATOMC_PLAN_NAMES_H

#define SYMBOL_OF_COUNT    "atomc.count." /* long: the members of a set */
#define SYMBOL_OF_CELLS    "atomc.cells." /* const volatile long *: the cells of a counter or a histogram */
#define SYMBOL_OF_ORIGINAL "atomc.original." /* the procedure that a replacement stands for */
#define SYMBOL_OF_UNLOCKED "atomc.unlocked." /* another name of a variable that is read without the lock */

#endif
