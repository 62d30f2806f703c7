/* cxx_string: a line with an error ends with third's message; bytes are put into unset quadwords. */
#include <string>

int main() {
    std::string a(32, 'a');
    char *b = new char[40];
    a += "bcd";
    b[32] = a[33];
    int x = 0;
    if (b[33] == 'c') //! unset heap read
        x = 1;
    delete[] b;
    return a.size() == 35 && x;
}
