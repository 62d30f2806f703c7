/* command.c: commands as lists of words, and their output. They run without a shell. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runs/job/job.h"
#include "runs/run/runner.h"
#include "support/process.h"

void command_add(struct command *command, const char *format, ...) {
    va_list arguments;
    char *word = NULL;
    va_start(arguments, format);
    int length = vasprintf(&word, format, arguments);
    va_end(arguments);
    VECTOR_RESERVE(command->words, command->count + 1, command->capacity);
    command->words[command->count++] = length < 0 ? duplicate_string("") : word;
    command->words[command->count] = NULL;
}

void command_forget(struct command *command) {
    for (size_t i = 0; i < command->count; i++)
        free(command->words[i]);
    free(command->words);
    *command = (struct command){NULL, 0, 0};
}

json_t *command_words(const struct command *command) {
    json_t *words = json_array();
    for (size_t i = 0; i < command->count; i++)
        json_array_append_new(words, json_text(command->words[i]));
    return words;
}

static void put_word(FILE *stream, const char *word) {
    char *quoted = shell_word(word);
    fputs(quoted, stream);
    free(quoted);
}

char *command_text(const struct command *command, const char *input) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream && i < command->count; i++) {
        fputs(i ? " " : "", stream);
        put_word(stream, command->words[i]);
    }
    if (stream && input) {
        fputs(" <", stream);
        put_word(stream, input);
    }
    if (stream)
        fclose(stream);
    return text ? text : duplicate_string("");
}

char *command_output(const struct command *command, int *status) {
    const struct process process = {.words = (const char *const *)command->words};
    return process_read(&process, PROCESS_OUTPUT, status);
}

char *command_errors(const struct command *command, int *status) {
    const struct process process = {.words = (const char *const *)command->words};
    return process_read(&process, PROCESS_ERRORS, status);
}

/* ---- the emulator -------------------------------------------------------------------------------------------- */

void command_add_emulator(struct command *command, const struct machine_names *machine) {
    const char *chosen = getenv("ATOMC_QEMU");
    char *text = duplicate_string(chosen && *chosen ? chosen : machine->emulator), *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *path = word == text ? find_command(word) : NULL;
        if (!path && word == text && !(chosen && *chosen))
            path = find_command(machine->static_emulator);
        char *real = path ? realpath(path, NULL) : NULL;
        command_add(command, "%s", real ? real : word);
        free(real);
        free(path);
    }
    free(text);
}
