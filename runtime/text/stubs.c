/* stubs.c: the pages by which system calls of libraries, and of changed text, go through the runtime's gate.
   Compiled without floating-point registers. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "runtime/text/internal.h"

struct object atomc_objects[OBJECTS];
unsigned atomc_objects_used;

/* A system call; *call is its address. */
static uint32_t *write_call(uint32_t *code, unsigned long *call) {
    *call = (unsigned long)code;
    *code++ = SYSTEM_CALL_WORD;
    return code;
}

/* Writes the code of a stub. It has system calls at three places: calls[0] for most, [1] for those that make
   a thread or a process, [2] for those that may wait. Returns the end of the code. */
static uint32_t *write_gate_calls(uint32_t *code, unsigned long calls[3]) {
    code = atomc_write_gate_entry(code, atomc_entries.object_gate);
    uint32_t *clones = code++, *made = code++, *waits = code++;
    code = atomc_write_stub_return(write_call(atomc_write_gate_exit(code), &calls[0]));
    *made = atomc_stub_branch(STUB_MADE, made, code);
    code = atomc_write_stub_return(atomc_write_gate_exit(code));
    *clones = atomc_stub_branch(STUB_CLONES, clones, code);
    code = write_call(atomc_write_gate_exit(code), &calls[1]);
    uint32_t *begins = code++, *succeeds = code++;
    *begins = atomc_stub_branch(STUB_IN_CHILD, begins, code);
    code = atomc_write_gate_exit(atomc_write_gate_entry(code, atomc_entries.call_failed));
    *succeeds = atomc_stub_branch(STUB_SUCCEEDED, succeeds, code);
    code = atomc_write_stub_return(code);
    *waits = atomc_stub_branch(STUB_WAITS, waits, code);
    code = write_call(atomc_write_gate_exit(code), &calls[2]);
    code = atomc_write_gate_exit(atomc_write_gate_entry(code, atomc_entries.call_ends));
    return atomc_write_stub_return(code);
}

void atomc_write_stub(struct object *object, uint32_t *code) {
    object->stub = (unsigned long)code;
    atomc_patch_spills(code, write_gate_calls(code, object->calls));
}

void atomc_patch_stubs(void) {
    for (unsigned i = 0; i < atomc_objects_used; i++) {
        long page = page_down((long)atomc_objects[i].stub);
        if (!atomc_objects[i].taken || !page)
            continue;
        RAW(CALL_mprotect, page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0);
        atomc_patch_spills((uint32_t *)page, (const uint32_t *)(page + PAGE));
        RAW(CALL_mprotect, page, PAGE, PROT_READ | PROT_EXEC, 0, 0, 0);
    }
}

struct object *atomc_new_object(void) {
    for (unsigned i = 0; i < OBJECTS; i++)
        if (__sync_bool_compare_and_swap(&atomc_objects[i].taken, 0, 1)) {
            unsigned used;
            while ((used = atomc_objects_used) <= i)
                __sync_bool_compare_and_swap(&atomc_objects_used, used, i + 1);
            return &atomc_objects[i];
        }
    atomc_give_up("there are too many libraries in this process", "");
    return 0;
}

long atomc_map_stub(long hole, long hole_end, long begin, long end) {
    const long flags = MAP_PRIVATE | MAP_ANONYMOUS, all = PROT_READ | PROT_WRITE;
    if (hole_end - hole >= PAGE)
        return RAW(CALL_mmap, hole, PAGE, all, flags | MAP_FIXED, -1, 0);
    for (long distance = 0; distance < 3l << 20; distance += PAGE)
        for (int before = 0; before < 2; before++) {
            long address = before ? begin - PAGE - distance : end + distance;
            long result = RAW(CALL_mmap, address, PAGE, all, flags | MAP_FIXED_NOREPLACE, -1, 0);
            if (result == address)
                return result;
            if (!is_error(result))
                RAW(CALL_munmap, result, PAGE, 0, 0, 0, 0);
        }
    return -1;
}

long atomc_map_near(unsigned long begin, unsigned long end) {
    return atomc_map_stub(0, 0, (long)begin, (long)end);
}

unsigned long atomc_system_call_stub(void) {
    static struct object *calls;
    if (!calls) {
        RAW(CALL_mmap, ATOMC_TEXT_CALLS, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        struct object *object = atomc_new_object();
        object->begin = object->end = object->springboards = object->springboards_end = 0;
        object->library = -1;
        object->in_hole = 0;
        atomc_write_stub(object, (uint32_t *)ATOMC_TEXT_CALLS);
        flush_instructions();
        calls = object;
    }
    return calls->stub;
}

static void make_executable_again(unsigned long from, unsigned long to, unsigned long begin,
                                  unsigned long end) {
    if (from < to && from < end && to > begin)
        RAW(CALL_mprotect, from, to - from, PROT_READ | PROT_EXEC, 0, 0, 0);
}

void atomc_open_stubs(unsigned long begin, unsigned long end) {
    for (unsigned i = 0; i < atomc_objects_used; i++) {
        if (!atomc_objects[i].taken)
            continue;
        make_executable_again(atomc_objects[i].stub, atomc_objects[i].stub + PAGE, begin, end);
        make_executable_again(atomc_objects[i].springboards, atomc_objects[i].springboards_end, begin, end);
    }
}

unsigned long atomc_object_pc(unsigned long pc, unsigned long link) {
    for (unsigned i = 0; i < atomc_objects_used; i++) {
        if (!atomc_objects[i].taken || pc - atomc_objects[i].stub >= (unsigned long)PAGE)
            continue;
        for (int k = 0; k < 3; k++)
            if (pc == atomc_objects[i].calls[k])
                return link - 4;
        return pc == atomc_objects[i].calls[0] + 4 || pc == atomc_objects[i].calls[2] + 4 ? link : 0;
    }
    return 0;
}

int atomc_in_stub(unsigned long pc) {
    for (unsigned i = 0; i < atomc_objects_used; i++)
        if (atomc_objects[i].taken && pc - atomc_objects[i].stub < (unsigned long)PAGE)
            return 1;
    return 0;
}

/* True for a range that ends after `at`, and begins before the other range. */
static int is_next(unsigned long begin, unsigned long end, unsigned long at, unsigned long other) {
    return begin && begin < other && end > at;
}

int atomc_next_stub(unsigned long at, struct atomc_own_range *next, int *in_hole) {
    next->begin = UINT64_MAX;
    for (unsigned i = 0; i < atomc_objects_used; i++) {
        const struct object *object = &atomc_objects[i];
        if (!object->taken)
            continue;
        if (is_next(object->stub, object->stub + PAGE, at, next->begin)) {
            *next = (struct atomc_own_range){object->stub, object->stub + PAGE};
            *in_hole = object->in_hole;
        }
        if (is_next(object->springboards, object->springboards_end, at, next->begin)) {
            *next = (struct atomc_own_range){object->springboards, object->springboards_end};
            *in_hole = 1;
        }
    }
    return next->begin != UINT64_MAX;
}
