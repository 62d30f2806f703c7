/* names.h: names in an analysis image that more than one part knows. The symbols are those by which a tool's
   C refers to values that the engine fills in; they contain dots, so that no name of C is equal to one of
   them. */
#ifndef ATOMC_PLAN_NAMES_H
#define ATOMC_PLAN_NAMES_H

#define SYMBOL_OF_COUNT    "atomc.count." /* long: the number of members of a set */
#define SYMBOL_OF_CELLS    "atomc.cells." /* const volatile long *: the cells of a counter or a histogram */
#define SYMBOL_OF_ORIGINAL "atomc.original." /* the procedure that a routine replaces */
#define SYMBOL_OF_UNLOCKED "atomc.unlocked." /* an alias of a variable that may be read without the lock */

/* The folder in which the runtime's debug information says that it was compiled (runtime/rules.mk). Folders
   of other sources are absolute. */
#define FOLDER_OF_RUNTIME "atomc"

#endif
