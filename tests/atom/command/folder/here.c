int linked_here() { return 1; } /* here.c: found by -L */
