# many.awk: for pages.sh: N procedures that are called, each of which calls another one; FIRST is the first one's number, NAME main or rest.
BEGIN {
    print "static volatile int sum; void rest(void);"
    for (i = 0; i < n; i++) print "static void p" first + i "(int);"
    for (i = 0; i < n; i++)
        print "static __attribute__((noinline)) void p" first + i "(int deep) { if (deep) p" first + (i * 7 + 1) % n "(deep - 1); sum++; }"
    print (name == "main" ? "int main(void) { rest();" : "void rest(void) {")
    for (i = 0; i < n; i++) print "    p" first + i "(1);"
    print "}"
}
