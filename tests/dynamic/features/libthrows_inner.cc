int inner(int n, int (*callback)(int)) {
    try {
        if (n % 7 == 6)
            throw n;
        return callback(n) + 1;
    } catch (int thrown) {
        if (thrown > 20)
            throw;
        return -thrown;
    }
}
