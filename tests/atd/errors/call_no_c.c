/* Nothing here. */
int unused;
