inline void f(long x){}
