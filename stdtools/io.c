/* io.c: analysis routines of io.atd: what a descriptor stands for follows from the system calls that make it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "table.h"

static struct file {
    char *name;
    long opens, reads, bytes_read, writes, bytes_written, seeks, closes, failed, nanoseconds;
} * files;
static int file_count;
static int *descriptors; /* the number of each one's file, plus one */
static long descriptor_count;
/* The call that each thread is in: what it was asked, and when. */
static struct open_call {
    long thread, kind, a0, start;
    int file;
} open_calls[4096];
static int timed;

static int file_named(const char *name) {
    for (int i = 0; i < file_count; i++)
        if (strcmp(files[i].name, name) == 0)
            return i;
    files = realloc(files, (file_count + 1) * sizeof *files);
    if (!files)
        abort();
    files[file_count] = (struct file){.name = strdup(name)};
    return file_count++;
}

static void set_descriptor(long descriptor, int file) {
    if (descriptor >= descriptor_count) {
        descriptors = realloc(descriptors, (descriptor + 64) * sizeof *descriptors);
        if (!descriptors)
            abort();
        memset(descriptors + descriptor_count, 0, (descriptor + 64 - descriptor_count) * sizeof *descriptors);
        descriptor_count = descriptor + 64;
    }
    descriptors[descriptor] = file + 1;
}

/* A descriptor that was open before the program began has no file yet. */
static int file_of(long descriptor) {
    static const char *const standard[] = {"stdin", "stdout", "stderr"};
    char name[40];
    snprintf(name, sizeof name, "descriptor %ld", descriptor);
    if (descriptor < 0 || descriptor >= 1 << 20)
        return file_named(name);
    if (descriptor >= descriptor_count || descriptors[descriptor] == 0)
        set_descriptor(descriptor, file_named(descriptor < 3 ? standard[descriptor] : name));
    return descriptors[descriptor] - 1;
}

static long now(void) {
    struct timespec time;
    if (!timed || clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static struct open_call *call_of(long thread) {
    for (int i = 0; i < 4096; i++)
        if (open_calls[i].thread == thread)
            return &open_calls[i];
    return NULL;
}

void Init(int time) {
    timed = time;
}

enum kind { OTHER, OPEN, READ, WRITE, SEEK, CLOSE, DUPLICATE, PIPE, PIPE2, SOCKET };

static enum kind kind_of(long number, long a1) {
    static const char kinds[1024] = {
        [SYS_open] = OPEN,      [SYS_openat] = OPEN,    [SYS_read] = READ,      [SYS_readv] = READ,
        [SYS_pread64] = READ,   [SYS_preadv] = READ,    [SYS_write] = WRITE,    [SYS_writev] = WRITE,
        [SYS_pwrite64] = WRITE, [SYS_pwritev] = WRITE,  [SYS_lseek] = SEEK,     [SYS_close] = CLOSE,
        [SYS_dup] = DUPLICATE,  [SYS_dup2] = DUPLICATE, [SYS_dup3] = DUPLICATE, [SYS_pipe] = PIPE,
        [SYS_pipe2] = PIPE2,    [SYS_socket] = SOCKET,  [SYS_accept] = SOCKET,  [SYS_accept4] = SOCKET,
    };
    if (number == SYS_fcntl)
        return a1 == F_DUPFD || a1 == F_DUPFD_CLOEXEC ? DUPLICATE : OTHER;
    return number >= 0 && number < 1024 ? kinds[number] : OTHER;
}

/* The file is looked up before the call: close forgets it, and another thread may open the number again. */
void Enter(long number, long a0, long a1, long thread) {
    struct open_call *call = call_of(thread);
    enum kind kind = kind_of(number, a1);
    if (!call && !(call = call_of(0)))
        return;
    int file = kind == OPEN                        ? file_named((const char *)(number == SYS_open ? a0 : a1))
               : kind >= READ && kind <= DUPLICATE ? file_of(a0)
                                                   : -1;
    *call = (struct open_call){thread, kind, a0, now(), file};
}

/* The call has succeeded; result and second are what it returned in its two registers. */
static void count(const struct open_call *call, struct file *file, long result, long second) {
    switch (call->kind) {
    case OPEN:
        file->opens++;
        set_descriptor(result, call->file);
        break;
    case READ:
        file->reads++;
        file->bytes_read += result;
        break;
    case WRITE:
        file->writes++;
        file->bytes_written += result;
        break;
    case SEEK:
        file->seeks++;
        break;
    case CLOSE:
        file->closes++;
        descriptors[call->a0] = 0;
        break;
    case DUPLICATE:
        set_descriptor(result, call->file);
        break;
    case PIPE:
        set_descriptor(result, file_named("pipe"));
        set_descriptor(second, file_named("pipe"));
        break;
    case PIPE2:
        set_descriptor(((int *)call->a0)[0], file_named("pipe"));
        set_descriptor(((int *)call->a0)[1], file_named("pipe"));
        break;
    case SOCKET:
        set_descriptor(result, file_named("socket"));
    }
}

void Leave(long result, long failed, long second, long thread) {
    struct open_call *call = call_of(thread);
    if (!call)
        return; /* the child of clone */
    struct file *file = call->file >= 0 ? &files[call->file] : NULL;
    if (file)
        file->nanoseconds += now() - call->start;
    if (!failed)
        count(call, file, result, second);
    else if (file)
        file->failed++;
    call->thread = 0;
}

void Print(const char *out) {
    const char *columns =
        "'File|#Opens|#Reads|#Bytes read|#Writes|#Bytes written|#Seeks|#Closes|#Failed|#Microseconds";
    char *shown = strndup(columns, timed ? strlen(columns) : strlen(columns) - strlen("|#Microseconds"));
    atomc_begin_table("io", out, shown);
    for (const struct file *file = files; file < files + file_count; file++)
        atomc_add_row((long)file->name, file->opens, file->reads, file->bytes_read, file->writes,
                      file->bytes_written, file->seeks, file->closes, file->failed, file->nanoseconds / 1000);
    atomc_end_table();
    free(shown);
}
