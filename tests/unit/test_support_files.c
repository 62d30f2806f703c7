/* test_support_files.c: temporary files vanish at exit and on signals; commands report their status.
   Requires cmocka and a POSIX shell. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/support.h"

static void reads_whole_files(void **state) {
    (void)state;
    size_t length = 0;
    char *text = read_file("/proc/self/cmdline", &length); /* a file whose size is not known */
    assert_non_null(text);
    assert_true(length > 0);
    assert_int_equal(text[length], 0);
    free(text);
    assert_null(read_file("/nonexistent/file", &length));
    assert_int_equal(errno, ENOENT);
    assert_null(read_file("/", &length));
    assert_int_equal(errno, EISDIR);
}

static void runs_commands(void **state) {
    (void)state;
    char *output = NULL;
    assert_int_equal(run_command((char *[]){"sh", "-c", "echo text >&2; exit 3", NULL}, &output), 3);
    assert_string_equal(output, "text\n");
    free(output);
    assert_int_equal(run_command((char *[]){"sh", "-c", "kill -9 $$", NULL}, NULL), 128 + 9);
    assert_int_equal(run_command((char *[]){"no-such-command-at-all", NULL}, &output), -1);
    assert_null(output);
    assert_int_equal(
        run_command((char *[]){"sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x >&2", NULL}, &output), 0);
    assert_int_equal(strlen(output), 300000);
    free(output);
}

/* More than run at once; each has its own end and messages. */
static void runs_commands_together(void **state) {
    (void)state;
    enum { COUNT = 50 };
    struct child_command commands[COUNT];
    char *words[COUNT][4];
    for (int i = 0; i < COUNT; i++) {
        words[i][0] = "sh", words[i][1] = "-c", words[i][3] = NULL;
        words[i][2] = format_string("head -c %d /dev/zero | tr '\\0' x >&2; exit %d", i * 3000, i);
        commands[i] = (struct child_command){.argv = words[i]};
    }
    char *missing[] = {"no-such-command-at-all", NULL};
    commands[7].argv = missing;
    run_commands(commands, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(commands[i].status, i == 7 ? -1 : i);
        assert_int_equal(commands[i].output ? strlen(commands[i].output) : 1, i == 7 ? 1 : i * 3000);
        free(commands[i].output);
        free(words[i][2]);
    }
}

/* In a child: makes a temporary directory with contents and two files, keeps one, then ends as told. */
static void make_temporary_files(int signal_number, int report, const char *doomed, const char *kept) {
    const char *directory = temporary_directory();
    remove_on_failure(doomed);
    remove_on_failure(kept);
    char *script = format_string("mkdir -p %s/a/b; touch %s/a/f %s/g %s %s", directory, directory, directory,
                                 doomed, kept);
    int status = run_command((char *[]){"sh", "-c", script, NULL}, NULL);
    free(script);
    keep_file(kept);
    if (status != 0 || write(report, directory, strlen(directory) + 1) < 0)
        _exit(9);
    if (signal_number)
        raise(signal_number);
    exit(0);
}

static void check_removal(int signal_number) {
    char base[] = "/tmp/atomc-unit-XXXXXX";
    assert_non_null(mkdtemp(base));
    char *doomed = format_string("%s/doomed", base), *kept = format_string("%s/kept", base);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (signal_number)
            signal(signal_number, SIG_DFL); /* a test in the background has SIGINT ignored */
        make_temporary_files(signal_number, ends[1], doomed, kept);
    }
    close(ends[1]);
    char directory[4096] = "";
    assert_true(read(ends[0], directory, sizeof directory - 1) > 0);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (signal_number)
        assert_int_equal(WTERMSIG(status), signal_number);
    else
        assert_int_equal(status, 0);
    assert_int_equal(access(directory, F_OK), -1);
    assert_int_equal(access(doomed, F_OK), -1);
    assert_int_equal(access(kept, F_OK), 0);
    unlink(kept);
    rmdir(base);
    free(doomed);
    free(kept);
}

static void temporary_files_vanish(void **state) {
    (void)state;
    check_removal(0);
    check_removal(SIGTERM);
    check_removal(SIGINT);
    check_removal(SIGHUP);
}

/* In a child: what a command has started writes into the temporary directory, for two seconds at most. */
static void write_temporary_files(int report, const char *begin) {
    const char *directory = temporary_directory();
    char *script =
        format_string("%s(for i in $(seq 200); do mkdir -p %s && : >%s/file; sleep 0.01; done) & wait", begin,
                      directory, directory);
    if (write(report, directory, strlen(directory) + 1) < 0)
        _exit(9);
    run_command((char *[]){"sh", "-c", script, NULL}, NULL);
    _exit(8); /* the signal has come before */
}

static void check_end_of_commands(int signal_number, const char *begin) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(signal_number, SIG_DFL);
        write_temporary_files(ends[1], begin);
    }
    close(ends[1]);
    char directory[4096] = "";
    assert_true(read(ends[0], directory, sizeof directory - 1) > 0);
    close(ends[0]);
    char *file = format_string("%s/file", directory);
    while (access(file, F_OK) != 0)
        usleep(1000);
    kill(child, signal_number);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(access(directory, F_OK), -1);
        usleep(1000);
    }
    free(file);
}

/* Nothing that a command has started writes any more when the files are removed. */
static void commands_end_with_the_process(void **state) {
    (void)state;
    check_end_of_commands(SIGTERM, "");
    check_end_of_commands(SIGHUP, "");
    check_end_of_commands(SIGTERM, "trap '' TERM; ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_whole_files),
        cmocka_unit_test(runs_commands),
        cmocka_unit_test(runs_commands_together),
        cmocka_unit_test(temporary_files_vanish),
        cmocka_unit_test(commands_end_with_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
