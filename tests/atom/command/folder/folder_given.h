#define GIVEN 42 /* folder_given.h: found by -I */
