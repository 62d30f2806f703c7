// deleted_size: delete of a base that has no virtual destructor.
struct base {
    long first;
};
struct derived : base {
    long more[4];
};

int main() {
    base *volatile wrong = new derived, *volatile right = new base;
    char *volatile bytes = new char[5];
    delete right;
    delete wrong; //! delete of another size
    delete[] bytes;
    return 0;
}
