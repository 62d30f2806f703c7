static int calls;

void Took(long pc, long taken) {
    calls += taken != 0 && pc != 0;
}
