struct pair { float a, b; };
void Take(float number) { (void)number; }
void Pair(struct pair pair) { (void)pair; }
void Point(float *at) { (void)at; }
void Long(long double number) { (void)number; }
