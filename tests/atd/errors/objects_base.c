void Take(int where) {
    (void)where;
}
void Float(double where) {
    (void)where;
}
