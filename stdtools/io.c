/* io.c: analysis routines of io.atd. A descriptor's file follows from the system calls that made it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io.h"
#include "open_calls.h"

struct file *files;
int file_count, timed, forked;
static int *descriptors; /* the number of each one's file, plus one */
static long descriptor_count;

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
    if (descriptor >= 0 && descriptor < descriptor_count && descriptors[descriptor] != 0)
        return descriptors[descriptor] - 1;
    snprintf(name, sizeof name, "descriptor %ld", descriptor);
    if (descriptor < 0 || descriptor >= 1 << 20)
        return file_named(name);
    set_descriptor(descriptor, file_named(descriptor < 3 ? standard[descriptor] : name));
    return descriptors[descriptor] - 1;
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

/* The name of the file that the program opens; its address may be invalid. */
static int file_opened(const char *name) {
    return file_named(access(name, F_OK) != 0 && errno == EFAULT ? "(no name)" : name);
}

/* The file is looked up before the call, because close removes it, and another thread may reuse the
   number. */
void Enter(long number, long a0, long a1, long sp) {
    enum kind kind = kind_of(number, a1);
    if (kind == OTHER)
        return;
    struct open_call *call = begin_call(sp);
    if (!call)
        return;
    call->number = number, call->a0 = a0, call->a1 = a1;
    call->file = kind == OPEN ? file_opened((const char *)(number == SYS_open ? a0 : a1))
                 : kind >= READ && kind <= DUPLICATE ? file_of(a0)
                                                     : -1;
    call->start = timed ? time_now() : 0;
}

/* The call has succeeded; result and second are the values of its two result registers. */
static void count(const struct open_call *call, struct file *file, long result, long second) {
    switch (kind_of(call->number, call->a1)) {
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
        if (call->a0 < descriptor_count)
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
        break;
    case OTHER:
        break;
    }
}

void Leave(long result, long failed, long second, long sp) {
    struct open_call *call = open_call_at(sp);
    if (!call)
        return;
    struct file *file = call->file >= 0 ? &files[call->file] : NULL;
    if (file && timed)
        file->nanoseconds += time_now() - call->start;
    if (!failed)
        count(call, file, result, second);
    else if (file)
        file->failed++;
    call->sp = 0;
}

/* The files and descriptors are kept. */
void Forget(void) {
    for (struct file *file = files; file < files + file_count; file++)
        *file = (struct file){.name = file->name};
    forked = 1;
}
