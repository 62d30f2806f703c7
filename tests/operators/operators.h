/* operators.h: operands at the edges of what operators do; for the program and for make.c. */
#define OPERAND_COUNT ((long)(sizeof operands / sizeof operands[0]))

static const long operands[] = {0,    1,  -1,         2,           -7,          8,           63,       64,
                                -100, 255, 256, 0x7fffffff, 0x80000000, -0x80000001, INT64_MAX, INT64_MIN};
