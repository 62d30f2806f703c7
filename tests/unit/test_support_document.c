/* test_support_document.c: errors in JSON are reported at their places. Requires cmocka. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/document.h"

static const char *const keys[] = {"name", "list", "repeat", "inner"};

static bool is_good(const struct document *document) {
    int64_t repeat;
    const char *text;
    struct node root = document_root(document);
    if (!node_is_object(&root, keys, 4) || !node_needs(&root, "name"))
        return false;
    struct node name = node_member(&root, "name"), list = node_member(&root, "list");
    struct node number = node_member(&root, "repeat"), inner = node_member(&root, "inner");
    bool good = node_text(&name, &text);
    for (size_t i = 0; i < json_array_size(list.value); i++) {
        struct node element = node_element(&list, i);
        good = node_text(&element, &text) && good;
    }
    if (inner.value)
        good = node_is_object(&inner, keys, 4) && good;
    return (!number.value || node_integer(&number, 1, 10, &repeat)) && good;
}

/* What is reported: "LINE:COLUMN-COLUMN message"; "": nothing. */
static void expect(const char *text, const char *expected) {
    char path[] = "/tmp/atomc-document.XXXXXX", *said = NULL;
    size_t size;
    FILE *stream = fdopen(mkstemp(path), "w");
    fputs(text, stream);
    fclose(stream);
    struct diagnostics *diagnostics = diagnostics_create();
    struct document document;
    bool good = document_open(&document, path, diagnostics) && is_good(&document);
    assert_int_equal(good, expected[0] == '\0');
    stream = open_memstream(&said, &size);
    diagnostics_print(diagnostics, stream);
    fclose(stream);
    const char *found = strncmp(said, path, strlen(path)) == 0 ? said + strlen(path) + 1 : said;
    if (strcmp(found, expected) != 0)
        fail_msg("%s: '%s' and not '%s'", text, found, expected);
    free(said);
    document_close(&document);
    diagnostics_destroy(diagnostics);
    unlink(path);
}

static void is_quiet(void **state) {
    (void)state;
    expect("{\"name\": \"a\", \"list\": [\"b\", \"c\"], \"repeat\": 10, \"note\": [{}]}", "");
    expect("\xef\xbb\xbf{\"name\": \"a\"}", "");
}

static void finds_places(void **state) {
    (void)state;
    expect("{\"name\": \"a\",\n \"lost\": 1}", "2:2: error: unknown key 'lost'\n   \"lost\": 1}\n   ^~~~~~\n"
                                               "hint: did you mean 'list'?\n");
    expect("{\"list\": []}", "1:1: error: 'name' is missing here\n  {\"list\": []}\n  ^~~~~~~~~~~~\n");
    expect("{\"list\": [[\"]\\\"\", {}], \"x\"],\"name\":\"a\",\"repeat\": 10}",
           "1:11: error: 'list' must be a text\n  {\"list\": [[\"]\\\"\", {}], "
           "\"x\"],\"name\":\"a\",\"repeat\": 10}\n"
           "            ^~~~~~~~~~~\n");
    expect("{\"name\":\"\\u0061\\\"\",\n\"list\" : [ \"x\" , 7 ] }",
           "2:18: error: 'list' must be a text\n  \"list\" : [ \"x\" , 7 ] }\n                   ^\n");
    expect("{\"name\": {\n}, \"repeat\": 1}",
           "1:10: error: 'name' must be a text\n  {\"name\": {\n           ^\n");
    expect("{\"repeat\": 10, \"name\": \"x\", \"inner\": {\"name\": 1, \"a\": [1, {\"b\": 2}]}}",
           "1:50: error: unknown key 'a'\n  {\"repeat\": 10, \"name\": \"x\", \"inner\": {\"name\": 1, "
           "\"a\": [1, "
           "{\"b\": 2}]}}\n                                                   ^~~\n");
}

static void refuses_what_is_no_json(void **state) {
    (void)state;
    expect("{\"name\": \"a\", // twice\n \"list\": []}",
           "1:15: error: JSON has no comments\n  {\"name\": \"a\", // twice\n                ^~\n"
           "hint: a member \"note\": \"...\" is for people, and not looked at\n");
    expect("{\"name\": 1, \"name\": 2}", "1:13: error: this is not JSON: duplicate object key\n"
                                         "  {\"name\": 1, \"name\": 2}\n              ^~~~~~\n");
    expect("{\"name\": 'a'}",
           "1:10: error: this is not JSON: invalid token\n  {\"name\": 'a'}\n           ^\n");
    expect("", "1:1: error: this is not JSON: '[' or '{' expected near end of file\n");
    expect("[1, 2", "1:6: error: this is not JSON: ']' expected near end of file\n  [1, 2\n       ^\n");
    expect("[]", "1:1: error: 'the document' must be an object, {...}\n  []\n  ^~\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_quiet), cmocka_unit_test(finds_places),
                                       cmocka_unit_test(refuses_what_is_no_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
