/* mismatched_free: a line with an error ends with third's message. */
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

struct counted {
    int value;
    counted() : value(1) {}
    ~counted() { value = 0; }
};
static char *volatile kept;

int main() {
    kept = new char[10];
    delete[] kept;
    kept = new char[10];
    delete kept; //! mismatched free
    kept = new char;
    delete[] kept; //! mismatched free
    kept = new char;
    free(kept); //! mismatched free
    kept = (char *)malloc(10);
    ::operator delete(kept); //! mismatched free
    kept = (char *)malloc(10);
    kept = (char *)realloc(kept, 20);
    free(kept);
    kept = new char[10];
    kept = (char *)realloc(kept, 20); //! mismatched free
    free(kept);
    counted *volatile all = new counted[3];
    delete[] all;
    kept = (char *)::operator new(10, std::nothrow);
    ::operator delete(kept, std::nothrow);
    std::vector<std::string> words(3, "a word that has a block of its own, since it is long");
    return words.size() != 3;
}
