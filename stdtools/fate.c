/* fate.c: use analysis: reads the program's code after a load, to determine whether the value is used or
   only copied. Code and kinds of instructions are from atomc (fate.inc): the code in memory may contain
   branches to copies, and libraries are at other addresses. */
#include <stdlib.h>

#include "fate.h"
#include "place_search.h"

enum { REACH = 64 };

/* Procedures in the order of their addresses, and the instructions of all of them. */
static int procedure_count;
static const long *starts, *lengths;
static const unsigned *words;
static const unsigned char *kinds;
static long *firsts; /* for each procedure: the number of its first instruction */

void Text(int count, const long *pcs, const long *sizes, const unsigned *text,
          const unsigned char *text_kinds) {
    procedure_count = count;
    starts = pcs;
    lengths = sizes;
    words = text;
    kinds = text_kinds;
    firsts = calloc((size_t)count + 1, sizeof *firsts);
    if (!firsts)
        abort();
    for (int p = 0; p < count; p++)
        firsts[p + 1] = firsts[p] + sizes[p] / 4;
}

static struct { unsigned long start, length, first; } near; /* the procedure of the latest query */

/* The last procedure that begins at the address or before it. */
static int procedure_at(unsigned long pc) {
    int low = 0, high = procedure_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if ((unsigned long)starts[middle] <= pc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns false if the address has no instruction of the program. */
static int find_procedure(unsigned long pc) {
    int number = procedure_at(pc);
    near.start = (unsigned long)starts[number];
    near.length = (unsigned long)lengths[number];
    near.first = (unsigned long)firsts[number];
    return pc - near.start < near.length;
}

static int call_count;
static const long *call_pcs, *callees; /* callees of calls with a known target */
static const unsigned char *structures;

void Calls(int count, const long *pcs, const long *callee_pcs, const unsigned char *masks) {
    call_count = count;
    call_pcs = pcs;
    callees = callee_pcs;
    structures = masks;
}

/* True if the register passes a structure, or a part of one. Such a value need not be completely
   initialized. */
static int passes_structure(unsigned long call, int reg) {
    long number = place_at((long)call, call_pcs, call_count);
    if (number < 0 || reg < ALPHA_A0 || reg >= ALPHA_A0 + 6)
        return 0;
    return structures[procedure_at((unsigned long)callees[number])] >> (reg - ALPHA_A0) & 1;
}

struct instruction instruction_at(unsigned long pc) {
    if (pc - near.start >= near.length && !find_procedure(pc))
        return (struct instruction){0, OTHER};
    unsigned long number = near.first + (pc - near.start) / 4;
    return (struct instruction){words[number], kinds[number]};
}

int brings_signed(unsigned long at) {
    int reg = rc_of(instruction_at(at));
    for (int i = 0; i < 8; i++) {
        struct instruction next = instruction_at(at += 4);
        if (kind_of(next) == SHIFT_RIGHT && ra_of(next) == reg)
            return alpha_has_literal(next.word) ? (int)alpha_literal_field(next.word) : 0;
        if (ra_of(next) == reg || rb_of(next) == reg)
            return 0;
    }
    return 0;
}

/* A value on its way from the load, in a register. */
struct way {
    unsigned long at;
    int reg, straight; /* no branch after it */
    int in_part;       /* a part has been extracted: calls receive another value */
    struct load_fate fate;
};
static int left_steps; /* over all branches */
/* Conditional branches that the value has reached: the code after each is analysed once, also in a loop. */
static struct {
    unsigned long at;
    int reg;
} passed[REACH];
static int passed_count;

static int has_passed(const struct way *way) {
    for (int i = 0; i < passed_count; i++)
        if (passed[i].at == way->at && passed[i].reg == way->reg)
            return 1;
    passed[passed_count].at = way->at;
    passed[passed_count++].reg = way->reg;
    return 0;
}

static struct load_fate ends(const struct way *way, enum fate fate) {
    struct load_fate result = way->fate;
    result.fate = fate;
    result.store = way->at;
    return result;
}

/* These functions follow the value through an instruction; UNUSED: the value continues. */
static enum fate through_memory(struct way *way, struct instruction instruction) {
    int kind = kind_of(instruction);
    if (kind != ADDRESS && rb_of(instruction) == way->reg)
        return USED;
    if (rb_of(instruction) == way->reg) { /* an addition */
        way->reg = ra_of(instruction);
        way->fate.added = 1;
        way->fate.exact = 0;
    } else if (ra_of(instruction) == way->reg) {
        if (kind == STORE && way->straight)
            return STORED;
        way->reg = NONE;
    }
    return UNUSED;
}

/* The value leaves an operation with fewer or more bits than before. */
static void pass_on(struct way *way, int kind, int to) {
    int extracts = kind >= EXTRACT && kind < MASK_LOW;
    way->fate.exact &= extracts || kind == COPY || kind == SIGN || kind == INSERT;
    if (extracts)
        way->fate.width = 1 << (kind - EXTRACT);
    way->fate.inserted |= kind == INSERT;
    way->fate.added |= kind == ADD || kind == SIGN;
    way->in_part = 0;
    way->reg = to;
}

static enum fate through_operation(struct way *way, struct instruction instruction) {
    int kind = kind_of(instruction), rc = rc_of(instruction);
    int in_a = ra_of(instruction) == way->reg;
    if (!in_a && rb_of(instruction) != way->reg) {
        if (rc == way->reg)
            way->reg = NONE;
        return UNUSED;
    }
    switch (kind) {
    case USE:
        return USED;
    case SELECT:
        if (in_a)
            return USED;
        way->reg = NONE;
        return UNUSED;
    case MOVE:
        way->reg = rc;
        return UNUSED;
    case HIGH_QUAD:
    case HIGH_PART:
        if (kind == HIGH_QUAD && brings_signed(way->at))
            break;
        way->in_part = 1;
        if (rc == way->reg)
            way->reg = NONE;
        return UNUSED;
    default:
        if (is_mask(instruction) && in_a)
            return MASKED;
    }
    pass_on(way, kind, rc);
    return UNUSED;
}

/* For a call, jump or return. Returns true if the path ends here, with *fate as the result. */
static int leaves(struct way *way, struct instruction instruction, enum fate *fate) {
    int kind = kind_of(instruction), returns = kind == RETURN;
    int calls = alpha_ra(instruction.word) != ALPHA_ZERO;
    *fate = USED;
    if ((returns || calls) && is_passed(way->reg, returns) && !way->in_part) {
        if (!returns && passes_structure(way->at, way->reg))
            *fate = UNUSED;
        return 1;
    }
    if (kind != DIRECT && rb_of(instruction) == way->reg)
        return 1;
    *fate = UNUSED;
    way->straight = 0;
    return !calls || !survives_call(way->reg);
}

/* For a branch: compilers load values before they branch. A path that reaches code analysed before has no
   result. */
static enum fate on_both(enum fate one, enum fate other) {
    if (one == AGAIN || other == AGAIN)
        return one == AGAIN ? other : one;
    return one == USED && other == USED ? USED : UNUSED;
}

/* After a branch that does not depend on the value it is used if it is used on both ways: compilers load
 * before they branch.
 */
static struct load_fate follow(struct way way) {
    for (; left_steps-- > 0 && way.reg >= 0; way.at += 4) {
        struct instruction instruction = instruction_at(way.at);
        struct way taken = way;
        enum fate fate = UNUSED;
        switch (kind_of(instruction)) {
        case OTHER:
            break;
        case ADDRESS:
        case CONSTANT:
        case LOAD:
        case STORE:
            fate = through_memory(&way, instruction);
            break;
        case GOTO:
            way.at = target_of(way.at, instruction.word) - 4;
            break;
        case DIRECT:
        case INDIRECT:
        case RETURN:
            if (leaves(&way, instruction, &fate))
                return ends(&way, fate);
            break;
        case CONDITIONAL:
            if (ra_of(instruction) == way.reg)
                return ends(&way, USED);
            if (has_passed(&way))
                return ends(&way, AGAIN);
            taken.straight = way.straight = 0;
            taken.at = target_of(way.at, instruction.word);
            way.at += 4;
            return ends(&way, on_both(follow(taken).fate, follow(way).fate));
        default:
            fate = through_operation(&way, instruction);
        }
        if (fate != UNUSED)
            return ends(&way, fate);
    }
    return ends(&way, UNUSED);
}

struct load_fate fate_of_load(unsigned long pc, int size, int unaligned) {
    left_steps = REACH;
    passed_count = 0;
    struct load_fate fate =
        follow((struct way){.at = pc + 4, .reg = ra_of(instruction_at(pc)), .straight = 1, .fate.exact = 1});
    if (fate.fate == AGAIN)
        fate.fate = UNUSED;
    find_part(&fate, pc, size, unaligned);
    return fate;
}

int is_constant(unsigned long at, int reg, unsigned long *number) {
    for (int i = 0; i < 32; i++) {
        struct instruction before = instruction_at(at -= 4);
        int kind = kind_of(before);
        if (kind == OTHER || ((kind == DIRECT || kind == INDIRECT) && !survives_call(reg)))
            return 0;
        if ((kind == ADDRESS || kind == CONSTANT) && ra_of(before) == reg) {
            *number = (unsigned long)(long)alpha_memory_displacement(before.word);
            return kind == CONSTANT;
        }
        if (is_operation(before) ? rc_of(before) == reg : kind == LOAD && ra_of(before) == reg)
            return 0;
    }
    return 0;
}

struct instruction writer(unsigned long *pc, int reg) {
    struct instruction none = {0, OTHER};
    if (*pc - near.start >= near.length && !find_procedure(*pc))
        return none;
    unsigned long number = (*pc - near.start) / 4, most = number < 31 ? number : 31;
    const unsigned *word = words + near.first + number;
    const unsigned char *kind = kinds + near.first + number;
    for (unsigned long i = 1; i <= most; i++) {
        struct instruction before = {*--word, *--kind};
        if (is_operation(before) ? rc_of(before) == reg : before.kind == LOAD && ra_of(before) == reg) {
            *pc -= 4 * i;
            return before;
        }
        if ((before.kind == ADDRESS || before.kind == CONSTANT) && ra_of(before) == reg)
            return none;
    }
    return none;
}
