/* passed_on.c: the results of the procedures that passed_on.atd replaces. */
double Sum(double g, double h, double i) {
    return g + h + i;
}
float SumOfFloats(float g, float h) {
    return g + h;
}
