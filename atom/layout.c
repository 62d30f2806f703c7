/* layout.c: ATOM's lower-level routines about objects in the output (atom/include/alpha/atom.inst.h): room
   in the bss, names of files, the first and last procedures, distances. Requires a session. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "atom/recording.h"

enum { BSS_ALIGNMENT = 16 };

/* ---- the bss ------------------------------------------------------------------------------------------ */

static struct segment *last_segment(uint32_t object) {
    const struct program *program = object_number(session.program, object);
    return &program->segments[program->segment_count - 1];
}

/* Extends the zeros after the program's data; the existing ones do not move. */
long ExtendBSS(Obj *obj, int bytes) {
    uint32_t o;
    if (!require_recording("ExtendBSS") || !object_of("ExtendBSS", 1, obj, &o) ||
        !require_writable("ExtendBSS", o))
        return 0;
    struct segment *segment = last_segment(o);
    if (o != 0 || !(segment->flags & 2)) {
        misuse(MESSAGE_ATOM_NOT_WRITTEN_FILE, "ExtendBSS", "has no bss of its own");
        return 0;
    }
    if (bytes < 0) {
        misuse(MESSAGE_ATOM_NUMBER, "ExtendBSS", 2, (long long)bytes, "number of bytes");
        return 0;
    }
    uint64_t end = segment->address + segment->memory_size,
             room = (end + BSS_ALIGNMENT - 1) & ~(uint64_t)(BSS_ALIGNMENT - 1);
    segment->memory_size = room + (uint64_t)bytes - segment->address;
    return (long)room;
}

/* ---- names -------------------------------------------------------------------------------------------- */

void ReplaceObjOutputName(Obj *obj, const char *name) {
    static const char routine[] = "ReplaceObjOutputName";
    uint32_t o;
    if (!require_recording(routine) || !object_of(routine, 1, obj, &o))
        return;
    if (!name || !*name) {
        misuse(MESSAGE_ATOM_HANDLE, routine, 2, "a file name", name ? "empty" : "NULL");
        return;
    }
    session.output_names[o] = arena_string(session.program->arena, name, strlen(name));
    if (o == 0 && session.program->output)
        session.program->output = session.output_names[o];
}

/* A library's copies are in the program's output, so that a need for its new name has no effect.
 */
static bool is_renamed_library(const char *old, const char *name) {
    for (uint32_t o = 1; o < session.object_count; o++) {
        const char *slash = strrchr(session.output_names[o], '/');
        if (strcmp(object_file_name(session.program, o), old) == 0 &&
            (strcmp(session.output_names[o], name) == 0 || (slash && strcmp(slash + 1, name) == 0)))
            return true;
    }
    return false;
}

void UpdateObjLiblist(Obj *obj, const char *old, const char *name) {
    static const char routine[] = "UpdateObjLiblist";
    uint32_t o;
    if (!require_recording(routine) || !object_of(routine, 1, obj, &o))
        return;
    if (!old || !name) {
        misuse(MESSAGE_ATOM_HANDLE, routine, old ? 3 : 2, "the name of a library", "NULL");
        return;
    }
    if (is_renamed_library(old, name))
        return;
    if (o != 0)
        misuse(MESSAGE_ATOM_NOT_WRITTEN_FILE, routine, "keeps its list of libraries");
    else if (!dynamic_rename_need(session.program, old, name))
        misuse(MESSAGE_ATOM_NOT_NEEDED, routine, old);
}

/* ---- first and last ----------------------------------------------------------------------------------- */

/* The address of a section of the object, by its name; 0 if it has none. */
static uint64_t section_named(const struct program *object, const char *wanted) {
    Elf_Scn *section = NULL;
    size_t names;
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return 0;
    while ((section = elf_nextscn(object->elf, section))) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(object->elf, names, header.sh_name) : NULL;
        if (name && strcmp(name, wanted) == 0 && header.sh_size >= 8 && header.sh_flags & SHF_ALLOC)
            return header.sh_addr + object->base;
    }
    return 0;
}

/* The target of the first pointer in such a section. */
static uint64_t first_of(const struct program *object, const char *section) {
    uint64_t address = section_named(object, section), value = 0;
    const struct relocation *relocation = address ? relocation_at(object, address) : NULL;
    const void *bytes = address ? program_bytes(object, address, sizeof value) : NULL;
    if (bytes)
        memcpy(&value, bytes, sizeof value);
    return relocation ? relocation->value : value;
}

static Proc *procedure_of(uint64_t address) {
    uint32_t i = address ? instruction_at(session.program, address) : NO_INDEX;
    return i == NO_INDEX ? NULL : proc_handle(procedure_at(session.program, i));
}

/* Sorted in the order of the System V ABI, "Initialization and Termination Functions". */
Proc *GetFirstInitProc(Obj *obj) {
    uint32_t o;
    if (!object_of("GetFirstInitProc", 1, obj, &o) || !require_built("GetFirstInitProc", o))
        return NULL;
    const struct program *object = object_number(session.program, o);
    uint64_t first = first_of(object, ".preinit_array");
    if (!first)
        first = section_named(object, ".init");
    return procedure_of(first ? first : first_of(object, ".init_array"));
}

/* The array is processed from its end. */
Proc *GetLastFiniProc(Obj *obj) {
    uint32_t o;
    if (!object_of("GetLastFiniProc", 1, obj, &o) || !require_built("GetLastFiniProc", o))
        return NULL;
    const struct program *object = object_number(session.program, o);
    uint64_t last = section_named(object, ".fini");
    return procedure_of(last ? last : first_of(object, ".fini_array"));
}

/* ---- distances ---------------------------------------------------------------------------------------- */

long GetOffset(Inst *from, Inst *to) {
    uint32_t a, b;
    if (!inst_of("GetOffset", 1, from, &a) || !inst_of("GetOffset", 2, to, &b))
        return 0;
    return (long)(instruction_address(session.program, b) - instruction_address(session.program, a));
}
