/* follow.c: atomc run --follow: Alpha programs that the program executes, directly or indirectly, are
   instrumented as well. Requires Linux on x86-64, whose registers it sets.

   A supervisor traces the program and all its descendants. A seccomp filter stops each execve and execveat in
   these processes, and no other system call. If the file is an Alpha program, or a script for an Alpha
   program, the supervisor changes the path: the kernel executes atomc, as FOLDER/N, with unchanged arguments
   and environment. atomc finds the original target in FOLDER/N.target and runs it (launch.c). So this works
   for all ways of executing a program: by a shell, by make, by an Alpha program under qemu-alpha, by a
   relative path or a descriptor.

   The supervisor is not a child of the program, which could notice its end, but of init; it ends when all
   traced processes have ended. */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "runs/run/runner.h"

#define FOLDER_NAME "atomc-follow."
enum { SHOWN_DESCRIPTOR = 3, SCRIPT_LINE = 256, MOST_SCRIPTS = 5 };

/* ---- lists of strings in files --------------------------------------------------------------------------- */

struct strings {
    char *text; /* each followed by a NUL */
    size_t length, capacity;
};

static void add_string(struct strings *strings, const char *text) {
    for (const char *at = text;; at++) {
        VECTOR_RESERVE(strings->text, strings->length, strings->capacity);
        strings->text[strings->length++] = *at;
        if (!*at)
            return;
    }
}

static void add_list(struct strings *strings, char *const *list) {
    char count[24];
    size_t number = 0;
    while (list[number])
        number++;
    snprintf(count, sizeof count, "%zu", number);
    add_string(strings, count);
    for (size_t i = 0; i < number; i++)
        add_string(strings, list[i]);
}

static bool write_strings(const struct strings *strings, const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = file >= 0 && write(file, strings->text, strings->length) == (ssize_t)strings->length;
    return (file < 0 || close(file) == 0) && good;
}

static char *next_argument(char **at) {
    char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

static char **next_list(char **at) {
    size_t count = strtoul(next_argument(at), NULL, 10);
    char **list = allocate((count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = next_argument(at);
    list[count] = NULL;
    return list;
}

#ifdef __x86_64__

/* ---- what is executed ---------------------------------------------------------------------------------------- */

/* The program that a process is about to execute. */
struct target {
    char name[2 * PATH_MAX]; /* the name that the kernel would use */
    char path[2 * PATH_MAX]; /* the same, absolute */
    struct strings before;   /* words in the place of the first argument: of scripts, the last found first */
    char *words[2 * MOST_SCRIPTS + 2]; /* those */
    unsigned word_count;
};

static bool make_process_path(pid_t process, int directory, const char *name, char *path, size_t size) {
    char link[64], base[PATH_MAX];
    ssize_t length;
    if (name[0] == '/')
        return (size_t)snprintf(path, size, "%s", name) < size;
    if (directory == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%d/cwd", (int)process);
    else
        snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)process, directory);
    if ((length = readlink(link, base, sizeof base)) <= 0 || length == sizeof base || base[0] != '/')
        return false;
    return (size_t)snprintf(path, size, "%.*s%s%s", (int)length, base, *name ? "/" : "", name) < size;
}

static bool has_other_root(pid_t process) {
    char link[64], root[8];
    snprintf(link, sizeof link, "/proc/%d/root", (int)process);
    ssize_t length = readlink(link, root, sizeof root);
    return length != 1 || root[0] != '/';
}

static ssize_t read_beginning(const char *path, char *bytes, size_t size) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || access(path, X_OK) != 0)
        return -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, bytes, size);
    if (file >= 0)
        close(file);
    return got;
}

static bool is_supported(const char *bytes, ssize_t size) {
    Elf64_Ehdr header;
    if (size < (ssize_t)sizeof header || !machine_of_bytes(bytes, (size_t)size))
        return false;
    memcpy(&header, bytes, sizeof header);
    return header.e_type == ET_EXEC || header.e_type == ET_DYN;
}

/* `#! interpreter argument`, as the kernel reads it: the rest of the line is one argument. */
static bool read_script(char *line, ssize_t size, char **interpreter, char **argument) {
    if (size < 3 || line[0] != '#' || line[1] != '!')
        return false;
    line[size] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char *at = line + 2 + strspn(line + 2, " \t"), *end = line + strlen(line);
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    *interpreter = at;
    at += strcspn(at, " \t");
    *argument = NULL;
    if (*at) {
        *at++ = '\0';
        *argument = at + strspn(at, " \t");
    }
    return **interpreter != '\0';
}

static void put_before(struct target *target, const char *word) {
    memmove(target->words + 1, target->words, target->word_count++ * sizeof *target->words);
    target->words[0] = duplicate_string(word);
}

/* True if the file is a program that atomc can instrument, or a script for one. For a script, the target is
   that program. */
static bool find_target(struct target *target, pid_t process, int directory) {
    char line[SCRIPT_LINE + 1], *interpreter, *argument;
    if (!make_process_path(process, directory, target->name, target->path, sizeof target->path))
        return false;
    if (!*target->name ||
        (directory != AT_FDCWD && target->name[0] != '/')) /* the kernel calls it after the descriptor */
        snprintf(target->name, sizeof target->name, "%s", target->path);
    for (unsigned depth = 0; depth <= MOST_SCRIPTS; depth++) {
        ssize_t size = read_beginning(target->path, line, SCRIPT_LINE);
        if (is_supported(line, size))
            return true;
        if (!read_script(line, size, &interpreter, &argument) || depth == MOST_SCRIPTS)
            return false;
        if (depth > 0) { /* the name in the previous script is replaced by the name of this one */
            free(target->words[0]);
            memmove(target->words, target->words + 1, --target->word_count * sizeof *target->words);
        }
        put_before(target, target->name);
        if (argument)
            put_before(target, argument);
        put_before(target, interpreter);
        snprintf(target->name, sizeof target->name, "%s", interpreter);
        if (!make_process_path(process, AT_FDCWD, target->name, target->path, sizeof target->path))
            return false;
    }
    return false;
}

/* ---- the supervisor ------------------------------------------------------------------------------------------- */

struct supervisor {
    char *folder;
    char *atomc; /* its executable */
    unsigned long count;
};

static bool read_process_text(pid_t process, unsigned long address, char *text, size_t size) {
    enum { PAGE = 4096 };
    for (size_t got = 0; got < size;) {
        size_t most = PAGE - (address + got) % PAGE;
        struct iovec here = {text + got, most < size - got ? most : size - got};
        struct iovec there = {(void *)(address + got), here.iov_len};
        ssize_t count = process_vm_readv(process, &here, 1, &there, 1, 0);
        if (count <= 0)
            return false;
        if (memchr(text + got, '\0', (size_t)count))
            return true;
        got += (size_t)count;
    }
    return false;
}

/* Prepares FOLDER/N, and returns its path; NULL after an error. */
static char *make_entry(struct supervisor *supervisor, struct target *target) {
    struct strings strings = {NULL, 0, 0};
    char *path = format_string("%s/%lu", supervisor->folder, ++supervisor->count);
    char *file = format_string("%s.target", path);
    add_string(&strings, target->name);
    add_string(&strings, target->path);
    target->words[target->word_count] = NULL;
    add_list(&strings, target->words);
    bool good = write_strings(&strings, file) && symlink(supervisor->atomc, path) == 0;
    free(strings.text);
    free(file);
    if (good)
        return path;
    free(path);
    return NULL;
}

/* The process is at the beginning of an execve. The memory below its stack pointer is unused. */
static void change_call(struct supervisor *supervisor, pid_t process) {
    enum { RED_ZONE = 128 };
    struct user_regs_struct registers;
    struct target target = {.word_count = 0};
    if (ptrace(PTRACE_GETREGS, process, NULL, &registers) != 0)
        return;
    bool at = registers.orig_rax == SYS_execveat;
    bool has_path = read_process_text(process, at ? registers.rsi : registers.rdi, target.name, PATH_MAX);
    if (has_path && (*target.name || (at && registers.r8 & AT_EMPTY_PATH)) && !has_other_root(process) &&
        find_target(&target, process, at ? (int)registers.rdi : AT_FDCWD)) {
        char *path = make_entry(supervisor, &target);
        size_t length = path ? strlen(path) + 1 : 0;
        unsigned long place = (registers.rsp - RED_ZONE - length) & ~15UL;
        struct iovec here = {path, length}, there = {(void *)place, length};
        if (path && process_vm_writev(process, &here, 1, &there, 1, 0) == (ssize_t)length) {
            if (at) {
                registers.rsi = place;
                registers.r8 = 0;
            } else {
                registers.rdi = place;
            }
            ptrace(PTRACE_SETREGS, process, NULL, &registers);
        }
        free(path);
    }
    for (unsigned i = 0; i < target.word_count; i++)
        free(target.words[i]);
}

static bool stops_group(int number) {
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* Until all processes have ended. */
static void supervise_processes(struct supervisor *supervisor) {
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
        if (process <= 0 || !WIFSTOPPED(status))
            continue;
        int event = status >> 16, number = WSTOPSIG(status);
        if (event == PTRACE_EVENT_SECCOMP)
            change_call(supervisor, process);
        if (event == PTRACE_EVENT_STOP && stops_group(number))
            ptrace(PTRACE_LISTEN, process, NULL, 0L);
        else
            ptrace(PTRACE_CONT, process, NULL, event ? 0L : (long)number);
    }
}

static void remove_supervisor_folder(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* Keeps the descriptor on which results are shown, which each process inherits from here, and no other
   descriptor of the program. */
static void leave_program(int shown, int pipe_end) {
    enum { PIPE_DESCRIPTOR = SHOWN_DESCRIPTOR + 1 };
    int kept = fcntl(pipe_end, F_DUPFD, PIPE_DESCRIPTOR + 1);
    if (shown >= 0)
        dup2(shown, SHOWN_DESCRIPTOR);
    else
        close(SHOWN_DESCRIPTOR);
    dup2(kept, PIPE_DESCRIPTOR);
    close_range(PIPE_DESCRIPTOR + 1, ~0U, 0);
    close_range(0, SHOWN_DESCRIPTOR - 1, 0);
    setsid();
    if (chdir("/") != 0)
        _exit(1);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    prctl(PR_SET_NAME, "atomc follow", 0, 0, 0);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
}

/* Runs in its own process: sends its number, waits for permission to trace the program, and traces it.
   `socket`: connected to the program. */
static void run_supervisor(struct supervisor *supervisor, pid_t program, int shown, int socket) {
    enum { SOCKET = SHOWN_DESCRIPTOR + 1 };
    const long wanted = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                        PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    char byte = 0;
    pid_t own = getpid();
    leave_program(shown, socket);
    bool good = write(SOCKET, &own, sizeof own) == sizeof own && read(SOCKET, &byte, 1) == 1;
    int problem = good && ptrace(PTRACE_SEIZE, program, NULL, wanted) != 0 ? errno : 0;
    if (!good || write(SOCKET, &problem, sizeof problem) != sizeof problem || problem)
        _exit(1);
    close(SOCKET);
    supervise_processes(supervisor);
    remove_supervisor_folder(supervisor->folder);
    _exit(0);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

static bool install_filter(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
        return true;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* A child of a child, which ends at once: so the supervisor is no child of the program. */
static pid_t start_supervisor(struct supervisor *supervisor, int shown) {
    int ends[2], problem = 0;
    pid_t own = getpid(), number = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return 0;
    pid_t between = fork();
    if (between == 0) {
        pid_t child = fork();
        if (child == 0)
            run_supervisor(supervisor, own, shown, ends[1]);
        _exit(child < 0);
    }
    close(ends[1]);
    bool good = between > 0 && waitpid(between, NULL, 0) == between &&
                read(ends[0], &number, sizeof number) == sizeof number;
    if (good)
        prctl(PR_SET_PTRACER, (unsigned long)number, 0, 0, 0);
    good = good && write(ends[0], "", 1) == 1 && read(ends[0], &problem, sizeof problem) == sizeof problem;
    close(ends[0]);
    errno = problem ? problem : good ? 0 : ECHILD;
    return good && !problem ? number : 0;
}

/* The settings that each redirected process needs, in FOLDER/settings. */
static bool write_settings(const char *folder, pid_t supervisor, char *const *words) {
    struct strings strings = {NULL, 0, 0};
    char number[24], *path = format_string("%s/settings", folder), *here = getcwd(NULL, 0);
    snprintf(number, sizeof number, "%d", (int)supervisor);
    add_string(&strings, number);
    add_string(&strings, here ? here : "/");
    add_list(&strings, words);
    add_list(&strings, environ);
    bool good = write_strings(&strings, path);
    free(strings.text);
    free(path);
    free(here);
    return good;
}

enum run_status follow(const char *path, const char *name, char *const *arguments, char *const *words,
                       int shown, const struct descriptors *before, struct diagnostics *diagnostics) {
    const char *parent = getenv("TMPDIR");
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    struct supervisor supervisor = {
        .folder = format_string("%s/" FOLDER_NAME "XXXXXX", parent && parent[0] == '/' ? parent : "/tmp")};
    executable[length < 0 ? 0 : length] = '\0';
    supervisor.atomc = executable;
    if (!mkdtemp(supervisor.folder)) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, supervisor.folder, strerror(errno));
        return RUN_FAILED;
    }
    fflush(NULL);
    pid_t number = start_supervisor(&supervisor, shown);
    if (!number || !write_settings(supervisor.folder, number, words) || !install_filter()) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_FOLLOW, strerror(errno));
        if (!number) /* otherwise the supervisor does it */
            remove_supervisor_folder(supervisor.folder);
        return RUN_FAILED;
    }
    descriptors_close_others(before);
    execv(path, arguments);
    int error = errno;
    diagnose(diagnostics, NULL, MESSAGE_CANNOT_EXECUTE, name, strerror(error));
    return error == ENOENT ? RUN_NOT_FOUND : RUN_CANNOT_EXECUTE;
}

#else

enum run_status follow(const char *path, const char *name, char *const *arguments, char *const *words,
                       int shown, const struct descriptors *before, struct diagnostics *diagnostics) {
    (void)path, (void)name, (void)arguments, (void)words, (void)shown, (void)before, (void)add_list,
        (void)write_strings;
    diagnose(diagnostics, NULL, MESSAGE_CANNOT_FOLLOW, "only on x86-64");
    return RUN_FAILED;
}

#endif

/* ---- a process that is redirected ------------------------------------------------------------------------------ */

static char *read_strings(const char *path) {
    size_t length;
    struct stat status;
    char *text = lstat(path, &status) == 0 && status.st_uid == geteuid() ? read_file(path, &length) : NULL;
    return text;
}

/* A copy of the supervisor's, independent of this process's open files. */
static int take_supervisor_descriptor(pid_t supervisor) {
    int process = (int)syscall(SYS_pidfd_open, supervisor, 0);
    int shown = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, SHOWN_DESCRIPTOR, 0);
    if (process >= 0)
        close(process);
    return shown;
}

static char **joined_words(char *const *first, char *const *second) {
    size_t a = 0, b = 0;
    while (first[a])
        a++;
    while (second[b])
        b++;
    char **list = allocate((a + b + 1) * sizeof *list);
    memcpy(list, first, a * sizeof *list);
    memcpy(list + a, second, (b + 1) * sizeof *list);
    return list;
}

struct followed *followed_here(char **arguments) {
    const char *executed = (const char *)getauxval(AT_EXECFN),
               *slash = executed ? strrchr(executed, '/') : NULL;
    if (!slash || !slash[1] || strspn(slash + 1, "0123456789") != strlen(slash + 1) ||
        slash - executed < (ptrdiff_t)sizeof FOLDER_NAME + 6 ||
        strncmp(slash - sizeof FOLDER_NAME - 5, FOLDER_NAME, sizeof FOLDER_NAME - 1) != 0)
        return NULL;
    char *file = format_string("%s.target", executed), *target = read_strings(file);
    char *settings_file = format_string("%.*s/settings", (int)(slash - executed), executed);
    char *settings = target ? read_strings(settings_file) : NULL;
    struct followed *followed = NULL;
    if (settings) {
        followed = allocate_zeroed(1, sizeof *followed);
        followed->name = next_argument(&target);
        followed->path = next_argument(&target);
        char **before = next_list(&target);
        followed->arguments = *before ? joined_words(before, arguments + (*arguments != NULL)) : arguments;
        followed->shown = take_supervisor_descriptor((pid_t)atoi(next_argument(&settings)));
        followed->folder = next_argument(&settings);
        followed->words = next_list(&settings);
        followed->environment = environ;
        environ = next_list(&settings);
        while (followed->words[followed->word_count])
            followed->word_count++;
        unlink(file);
        unlink(executed);
    }
    free(file);
    free(settings_file);
    return followed;
}
