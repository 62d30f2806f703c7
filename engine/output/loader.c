/* loader.c: with --for=qemu, or if the new sections are above the program, code among the program's pages
   (entry.S: atomc_loader), not the kernel, maps the new sections. QEMU processes each page from the lowest to
   the highest of an executable when it loads it, when it flushes its translated code and in each child of a
   fork. The new sections are 4 GB below the program. If they are above the program, the kernel would begin
   the program's heap after them. Requires: all other segments are laid out. */
#include <string.h>
#include <sys/mman.h>

#include "engine/output/internal.h"

/* A segment that the kernel does not map, of a type in the range for systems. */
#define PT_ATOMC_LOAD (PT_LOOS + 0xa70ac)

static uint64_t kernel_page(const struct output *output) {
    return output->rewrite->program->architecture->page;
}

static uint64_t next_page_boundary(const struct output *output, uint64_t address) {
    return align_up(address, kernel_page(output));
}

/* Room below the program, whatever pages the kernel has; 0: there is none. The code is at the same distance
   from the beginning of a page as in the file. */
static uint64_t find_room_below(const struct output *output, uint64_t size, uint64_t offset) {
    const struct program *program = output->rewrite->program;
    const uint64_t page = largest_page(output->rewrite);
    uint64_t lowest = UINT64_MAX, room = align_up(offset + size, page) + page;
    for (uint32_t s = 0; s < program->segment_count; s++)
        if (program->segments[s].address < lowest)
            lowest = program->segments[s].address;
    return lowest / page * page > room ? lowest / page * page - room + page + offset : 0;
}

/* Finds room between two segments above the new segments (the program's segments, and the springboards, which
   must be within a branch's range). 0: there is no room. */
static uint64_t find_address_room(const struct output *output, uint64_t size) {
    const GElf_Phdr *headers = output->headers;
    for (uint32_t s = 0; s < output->header_count; s++) {
        uint64_t room = next_page_boundary(output, headers[s].p_vaddr + headers[s].p_memsz);
        bool above = false, free = room > output->rewrite->machine->layout->end;
        for (uint32_t k = 0; k < output->header_count; k++) {
            uint64_t begin = headers[k].p_vaddr / kernel_page(output) * kernel_page(output);
            above = above || begin >= room + size;
            free = free && (begin >= room + size || headers[k].p_vaddr + headers[k].p_memsz <= room);
        }
        if (above && free)
            return room;
    }
    return 0;
}

static uint32_t add_loaded_rows(const struct output *output, struct atomc_loaded *rows, uint32_t count,
                                const GElf_Phdr *header) {
    uint64_t begin = header->p_vaddr / kernel_page(output) * kernel_page(output),
             end = next_page_boundary(output, header->p_vaddr + header->p_memsz);
    uint64_t file_end = header->p_vaddr + header->p_filesz, rest = begin;
    int protection = (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0) |
                     (header->p_flags & PF_X ? PROT_EXEC : 0);
    if (header->p_filesz > 0) {
        rest = next_page_boundary(output, file_end);
        rows[count++] =
            (struct atomc_loaded){.address = begin,
                                  .length = rest - begin,
                                  .protection = (uint64_t)protection,
                                  .offset = (int64_t)(header->p_offset - (header->p_vaddr - begin)),
                                  .zeroed = header->p_memsz > header->p_filesz ? file_end : rest,
                                  .zeroed_end = rest};
    }
    if (end > rest)
        rows[count++] = (struct atomc_loaded){.address = rest,
                                              .length = end - rest,
                                              .protection = (uint64_t)protection,
                                              .offset = ATOMC_LOADED_NOTHING};
    return count;
}

void loader_add(struct output *output) {
    const struct rewrite *rewrite = output->rewrite;
    struct analysis_image *analysis = rewrite->analysis;
    struct atomc_image *image = image_of(rewrite);
    uint64_t code = analysis_symbol(analysis, "atomc_loader");
    uint64_t code_size = analysis_symbol(analysis, "atomc_loader_end") - code;
    uint64_t entry = analysis_symbol(analysis, "atomc_start_loaded");
    /* In the file: after the headers, before the program's contents. */
    const uint64_t offset = kernel_page(output);
    uint64_t most =
        code_size + sizeof entry + (2 * (uint64_t)output->header_count + 1) * sizeof(struct atomc_loaded);
    const bool is_below = rewrite->machine->programs_end != 0;
    uint64_t room = is_below ? find_room_below(output, most, offset)
                             : find_address_room(output, next_page_boundary(output, most));
    if (is_below && room == 0)
        output_fail(output);
    bool is_wanted =
        is_below || (rewrite->options->machine == MACHINE_QEMU && room > rewrite->machine->layout->end);
    if (!is_wanted || room == 0 || offset + most > output->shift)
        return;
    uint8_t *bytes = arena_allocate(output->arena, most);
    struct atomc_loaded *rows =
        arena_allocate(output->arena, (2 * (uint64_t)output->header_count + 1) * sizeof *rows);
    uint32_t count = 0;
    for (uint32_t h = rewrite->program->segment_count; h < output->header_count; h++) {
        GElf_Phdr *header = &output->headers[h];
        bool is_springboard = !is_below && header->p_vaddr > rewrite->machine->layout->end;
        if (header->p_type != PT_LOAD || is_springboard)
            continue;
        count = add_loaded_rows(output, rows, count, header);
        header->p_type = PT_ATOMC_LOAD;
    }
    rows[count++] = (struct atomc_loaded){0};
    memcpy(bytes, analysis_bytes(analysis, code, code_size), code_size);
    memcpy(bytes + code_size, &entry, sizeof entry);
    memcpy(bytes + code_size + sizeof entry, rows, count * sizeof *rows);
    image->loader = room;
    image->loader_size = next_page_boundary(output, most);
    output->entry = room;
    output_add_code(output, ".atomc.loader", room, offset, most, bytes);
}
