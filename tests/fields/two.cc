/* two.cc: one of two definitions of a type that wrong.cc declares. */
struct unknown {
    long before, value;
};
unknown two;
