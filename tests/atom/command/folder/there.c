int linked_there() { return 7; } /* there.c: found by -L */
