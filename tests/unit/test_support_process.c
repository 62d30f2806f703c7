/* test_support_process.c: what children are started with, and how they are waited for and ended. Requires a
 * shell. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/process.h"

/* What a shell prints for the command, with these members of `process`. */
static char *says(struct process process, const char *command) {
    const char *const words[] = {"sh", "-c", command, NULL};
    int status;
    process.words = words;
    char *text = process_read(&process, PROCESS_OUTPUT, &status);
    assert_non_null(text);
    assert_int_equal(status, 0);
    return text;
}

static void expect(struct process process, const char *command, const char *expected) {
    char *text = says(process, command);
    assert_string_equal(text, expected);
    free(text);
}

static void test_reads(void **state) {
    (void)state;
    int status;
    expect((struct process){0}, "echo out; echo error >&2", "out\n");
    char *text = process_read(
        &(struct process){.words = (const char *const[]){"sh", "-c", "echo error >&2; exit 3", NULL}},
        PROCESS_OUTPUT | PROCESS_ERRORS, &status);
    assert_string_equal(text, "error\n");
    assert_int_equal(process_exit_status(status), 3);
    free(text);
    text = says((struct process){0}, "head -c 300000 /dev/zero | tr '\\0' x");
    assert_int_equal(strlen(text), 300000);
    free(text);
}

static void test_cannot(void **state) {
    (void)state;
    int status;
    errno = 0;
    assert_int_equal(
        process_start(&(struct process){.words = (const char *const[]){"/no/such/program", NULL}}), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(
        process_start(&(struct process){.words = (const char *const[]){"true", NULL}, .folder = "/no/such"}),
        -1);
    assert_int_equal(errno, ENOENT);
    assert_null(process_read(&(struct process){.words = (const char *const[]){"no-such-command", NULL}},
                             PROCESS_OUTPUT, &status));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left */
}

static void test_state(void **state) {
    (void)state;
    const char *const variables[] = {"NAME=value", NULL};
    expect((struct process){.path = "/bin/sh", .variables = variables, .folder = "/"}, "echo $NAME; pwd",
           "value\n/\n");
    expect((struct process){.group = PROCESS_SESSION, .death_signal = SIGKILL},
           "set -- $(cat /proc/$$/stat); [ $1 = $6 ] && echo own", "own\n");
    expect((struct process){.group = PROCESS_OWN_GROUP},
           "set -- $(cat /proc/$$/stat); [ $1 = $5 ] && [ $1 != $6 ] && echo own", "own\n");
}

/* Descriptors that are in each other's places, and those that are not given. */
static void test_files(void **state) {
    (void)state;
    int left[2], right[2], status;
    char text[8] = "";
    assert_int_equal(pipe2(left, O_CLOEXEC), 0);
    assert_int_equal(pipe2(right, 0), 0);
    const int files[] = {PROCESS_NOTHING, left[1], PROCESS_SAME, right[1]};
    char *command = format_string("echo left; echo right >&3; [ ! -e /proc/self/fd/%d ]", right[0]);
    pid_t child = process_start(&(struct process){.words = (const char *const[]){"sh", "-c", command, NULL},
                                                  .files = files,
                                                  .file_count = 4,
                                                  .only_files = true});
    assert_true(child > 0);
    status = process_wait(child);
    assert_int_equal(status, 0);
    assert_int_equal(read(left[0], text, 5), 5);
    assert_string_equal(text, "left\n");
    assert_int_equal(read(right[0], text, 6), 6);
    assert_string_equal(text, "right\n");
    for (int i = 0; i < 2; i++) {
        close(left[i]);
        close(right[i]);
    }
    free(command);
}

static void count(int number) {
    (void)number;
}

/* The line of the child's status that begins with `what`. */
static uint64_t signals_of(struct process process, const char *what) {
    const char *const words[] = {"grep", what, "/proc/self/status", NULL};
    int status;
    process.words = words;
    char *text = process_read(&process, PROCESS_OUTPUT, &status);
    assert_non_null(text);
    uint64_t set = strtoull(text + strcspn(text, "\t"), NULL, 16);
    free(text);
    return set;
}

static uint64_t bit_of(int number) {
    return UINT64_C(1) << (number - 1);
}

/* A child has no handlers; it may ignore and block what this process does. The mask of this thread comes
 * back. */
static void test_signals(void **state) {
    (void)state;
    sigset_t blocked, none, after;
    signal(SIGUSR1, count);
    signal(SIGTERM, SIG_IGN);
    sigemptyset(&blocked);
    sigemptyset(&none);
    sigaddset(&blocked, SIGUSR2);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    const struct process same = {0}, clean = {.default_signals = true, .blocked = &none};
    uint64_t found[] = {signals_of(same, "^SigIgn"), signals_of(same, "^SigBlk"),
                        signals_of(clean, "^SigIgn"), signals_of(clean, "^SigBlk"),
                        signals_of(same, "^SigCgt")};
    sigprocmask(SIG_SETMASK, &none, &after);
    signal(SIGTERM, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    assert_true(found[0] & bit_of(SIGTERM));
    assert_true(found[1] == bit_of(SIGUSR2));
    assert_true((found[2] & ~(bit_of(32) | bit_of(33))) ==
                0); /* the C library's own: make's children ignore them */
    assert_true(found[3] == 0);
    assert_false(found[4] & bit_of(SIGUSR1));
    assert_int_equal(sigismember(&after, SIGUSR2), 1);
    assert_int_equal(sigismember(&after, SIGUSR1), 0);
}

/* A group goes with its leader, by itself or not, and one that does not hear SIGTERM. */
static void test_groups(void **state) {
    (void)state;
    static const char *const commands[] = {
        "sleep 1000 & echo $!; exit 4", "sleep 1000 & echo $!; sleep 1000",
        "trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1000; done"};
    static const int expected[] = {4, 128 + SIGTERM, 128 + SIGKILL};
    for (int i = 0; i < 3; i++) {
        int ends[2];
        char number[32] = "";
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        const int files[] = {PROCESS_NOTHING, ends[1]};
        pid_t leader =
            process_start(&(struct process){.words = (const char *const[]){"sh", "-c", commands[i], NULL},
                                            .files = files,
                                            .file_count = 2,
                                            .group = PROCESS_OWN_GROUP});
        close(ends[1]);
        assert_true(read(ends[0], number, sizeof number - 1) > 0);
        int status = i == 0 ? process_wait_group(leader) : process_end_group(leader, 200);
        assert_int_equal(process_exit_status(status), expected[i]);
        char byte;
        assert_int_equal(read(ends[0], &byte, 1), 0); /* the other one had the pipe open, too */
        close(ends[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads), cmocka_unit_test(test_cannot),  cmocka_unit_test(test_state),
        cmocka_unit_test(test_files), cmocka_unit_test(test_signals), cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
