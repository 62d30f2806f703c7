void Take(double number) { (void)number; }
void Number(long number) { (void)number; }
void Single(float number) { (void)number; }
