void Look(int word, float *at) {
    (void)word, (void)at;
}
