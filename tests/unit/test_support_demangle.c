/* Short names of C++: what remains of a name where there is little room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/demangle.h"

static void shortens(void **state) {
    static const char *const names[][2] = {
        {"_ZNK3geo6Square4areaEv", "geo::Square::area"},
        {"_Z5wordsRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERSt3mapIS4_iSt4lessIS4_"
         "ESaISt4pairIS5_iEEE",
         "words"},
        {"_ZN3geo3sumINS_5ShapeEEEdRKSt6vectorIPT_SaIS4_EE", "geo::sum<...>"},
        {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm", "std::string::_M_mutate"},
        {"_ZN3geo6SquareD0Ev", "geo::Square::~Square"},
        {"_ZN5Table7_M_growEi.isra.0", "Table::_M_grow [clone .isra.0]"},
        {"_ZlsRSoRK5Shape", "operator<<"},
        {"_ZN5ShapeclEi", "Shape::operator()"},
        {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::operator<< <...>"},
        {"_ZN5ShapecvmEv", "Shape::operator unsigned long"},
        {"_ZN12_GLOBAL__N_13runEi", "(anonymous namespace)::run"},
        {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()"},
        {"_ZZNK5Shape5sidesEiENKUliE_clEi", "Shape::sides::{lambda(int)#1}::operator()"},
        {"_ZTV5Shape", "vtable for Shape"},
        {"_ZThn8_N5Shape4areaEv", "non-virtual thunk to Shape::area()"},
        {"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", "std::move<...>"},
        {"_ZnwmSt11align_val_t", "operator new"},
        {"_ZN5Shape4nextEPFivE", "Shape::next"},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *demangled = demangled_name(names[i][0]);
        assert_non_null(demangled);
        char *name = short_name(arena, demangled);
        assert_string_equal(name, names[i][1]);
        free(demangled);
    }
    assert_null(demangled_name("i"));
    arena_destroy(arena);
}

/* Each symbol has its names, however many there are, and the same ones when it is asked again. */
static void remembers(void **state) {
    struct arena *arena = arena_create();
    struct demangled_names *names = demangled_names_create(arena, arena);
    const char *first = demangled_text(names, "_ZN1a2f0Ei", false);
    (void)state;
    assert_string_equal(first, "a::f0(int)");
    for (int i = 0; i < 1000; i++) {
        const char *symbol = arena_format(arena, "_ZN1a%zuf%dEi", strlen(arena_format(arena, "f%d", i)), i);
        assert_string_equal(demangled_text(names, symbol, false), arena_format(arena, "a::f%d(int)", i));
        assert_string_equal(demangled_text(names, symbol, true), arena_format(arena, "a::f%d", i));
    }
    assert_string_equal(demangled_text(names, "main", true), "main");
    assert_string_equal(demangled_text(names, "_Z", false), "_Z");
    assert_string_equal(demangled_text(names, "_Z", true), "_Z");
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortens), cmocka_unit_test(remembers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
