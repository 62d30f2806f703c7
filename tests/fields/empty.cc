/* empty.cc: makes the compiler that links the one for C++. */
