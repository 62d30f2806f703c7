/* other_words.c: words and signs of other languages, and the words of this language for them. Requires
   nothing. */
#include "compiler/internal.h"

#include <string.h>

static const struct {
    const char *word, *instead;
} other_words[] = {
    {"nsecs", "there is no clock of the system; the processor's cycle counter is $cycles"},
    {"elapsed", "there is no clock of the system; the processor's cycle counter is $cycles"},
    {"comm", "the program's name is program.name"},
    {"execname", "the program's name is program.name"},
    {"func", "the procedure is the loop's variable: in for p in procs, p.name"},
    {"probefunc", "the procedure is the loop's variable: in for p in procs, p.name"},
    {"retval", "the result is $ret, after a procedure"},
    {"returnval", "the result is $ret, after a procedure"},
    {"ustack", "the active procedures are $stack"},
    {"kstack", "the active procedures are $stack; those of the kernel are not seen"},
    {"arg0", "arguments are $arg(0), $arg(1) and so on"},
    {"arg1", "arguments are $arg(0), $arg(1) and so on"},
    {"arg2", "arguments are $arg(0), $arg(1) and so on"},
    {"arg3", "arguments are $arg(0), $arg(1) and so on"},
    {"cpu", "the thread is $tid: on which processor it runs is not known"},
    {"NULL", "the address 0 is written 0"},
    {"nullptr", "the address 0 is written 0"},
};

const char *instead_of_word(const char *word) {
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (strcmp(other_words[i].word, word) == 0)
            return other_words[i].instead;
    return NULL;
}

/* Word processors put these in the place of " and '. */
void hint_at_quotation_marks(struct parse *parse, const char *text, struct text_range range) {
    static const char *const marks[] = {"\u201c", "\u201d", "\u201e", "\u2018", "\u2019", "\u00ab", "\u00bb"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strstr(text, marks[i])) {
            diagnose_hint(parse->diagnostics, "a text is between the quotation marks of ASCII: \"...\"");
            note_misuse(parse, parse_name(parse, range).text);
            return;
        }
}
