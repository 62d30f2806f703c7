# An interpreter as C, of so many `operations`: a switch in a loop (form=switch), or a jump behind each operation (form=labels).
# -DTWICE: in two threads.
BEGIN {
    print "#include <pthread.h>\n#include <stdio.h>\nstatic unsigned char code[4096];"
    print "static void *interpret(void *result) {\nlong a = 0, b = 0, c = 0, d = 0, stack[64], left = LENGTH;\nunsigned at = 0; int op;"
    print "for (int i = 0; i < 64; i++) stack[i] = i;"
    if (form == "labels") {
        printf "static void *const labels[256] = {"
        for (i = 0; i < 256; i++)
            printf "&&L%d,", i % (operations + 1)
        print "};\n#define NEXT do { if (--left < 0) goto done; op = code[at++ & 4095]; goto *labels[op]; } while (0)\nNEXT;"
    } else
        print "while (--left >= 0) { op = code[at++ & 4095]; switch (op) {"
    for (i = 0; i < operations; i++) {
        printf(form == "labels" ? "L%d: " : "case %d: ", i)
        printf "a += b * %d + %d; stack[(a + %d) & 63] ^= c; c = stack[(b + %d) & 63] + (a >> %d); d ^= a + c; ", i + 3, i, i, i * 7, i % 9 + 1
        printf "b += stack[(d + %d) & 63] ^ (c << %d); stack[(c ^ %d) & 63] += b - d; if (stack[b & 63] & 1) d += %d; ", i, i % 5, i, i
        if (i % 10 == 3)
            printf "for (int n = 0; n < (int)(a & 3); n++) d += stack[n + %d]; ", i % 32
        print(i % 10 == 7 ? "/* fall through */" : form == "labels" ? "NEXT;" : "break;")
    }
    print(form == "labels" ? "L" operations ": a ^= c; NEXT;\ndone:" : "default: a ^= c; } }")
    print "*(long *)result = a ^ b ^ c ^ d;\nreturn NULL;\n}"
    print "int main(void) {\nunsigned seed = 1;\nlong result[2];"
    print "for (int i = 0; i < 4096; i++) code[i] = (seed = seed * 1103515245u + 12345u) >> 16;"
    print "#ifdef TWICE\npthread_t threads[2];"
    print "for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, interpret, &result[i]);"
    print "for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);\n#else"
    print "for (int i = 0; i < 2; i++) interpret(&result[i]);\n#endif"
    print "printf(\"%ld %ld\\n\", result[0], result[1]);\nreturn 0;\n}"
}
