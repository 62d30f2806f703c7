/* headers.c: what dl_iterate_phdr and dladdr say of all objects, before and after one comes; what is protected after relocation. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *last_part(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}
static sigjmp_buf back;
static void fault(int signal) { siglongjmp(back, signal); }
/* Can the first word of the range be written? */
static int is_writable(volatile long *word) {
    if (sigsetjmp(back, 1))
        return 0;
    *word = *word;
    return 1;
}

static int show(struct dl_phdr_info *info, size_t size, void *data) {
    int linker = strstr(info->dlpi_name, "ld-linux") != NULL;
    long text = 0, end = 0;
    (void)size;
    /* Under qemu-user the dynamic linker's own address depends on how large the program is. */
    printf("%d %s %#lx %d headers, %llu %llu", ++*(int *)data, last_part(info->dlpi_name), linker ? 0 : (long)info->dlpi_addr,
           info->dlpi_phnum, info->dlpi_adds, info->dlpi_subs);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && header->p_flags & PF_X)
            text = (long)(info->dlpi_addr + header->p_vaddr), end = text + (long)header->p_memsz;
        if (header->p_type == PT_GNU_RELRO)
            printf(", relro %ld bytes %s", (long)header->p_memsz,
                   is_writable((long *)(info->dlpi_addr + header->p_vaddr)) ? "writable" : "protected");
        if (header->p_type == PT_DYNAMIC && !linker) {
            const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + header->p_vaddr);
            int count = 0;
            while (entry[count].d_tag != DT_NULL)
                count++;
            printf(", %d dynamic", count);
        }
    }
    printf(", text %ld%s\n", end - text, (long)show >= text && (long)show < end ? ", this one" : "");
    return 0;
}

static void name(const char *what, void *address) {
    Dl_info info;
    if (!dladdr(address, &info))
        printf("%s: nowhere\n", what);
    else
        printf("%s: %s + %ld in %s\n", what, info.dli_sname ? info.dli_sname : "?",
               info.dli_saddr ? (long)((char *)address - (char *)info.dli_saddr) : -1L, last_part(info.dli_fname));
}
void *where_from(void);
__attribute__((noinline)) void called_back(void) {
    Dl_info info;
    dladdr(__builtin_return_address(0), &info);
    printf("called back by %s of %s\n", info.dli_sname ? info.dli_sname : "?", last_part(info.dli_fname));
}
void call_back(void (*routine)(void));

int main(void) {
    int count = 0;
    signal(SIGSEGV, fault);
    dl_iterate_phdr(show, &count);
    void *opened = dlopen("./libtls_opened.so", RTLD_NOW);
    count = 0;
    dl_iterate_phdr(show, &count);
    name("main", (void *)main);
    name("printf", dlsym(RTLD_DEFAULT, "printf"));
    name("opened", dlsym(opened, "opened_next"));
    name("stdout", &stdout);
    name("stack", &count);
    printf("library's: %d\n", where_from() == dlsym(RTLD_DEFAULT, "where_from"));
    call_back(called_back);
    dlclose(opened);
    count = 0;
    dl_iterate_phdr(show, &count);
    return 0;
}
