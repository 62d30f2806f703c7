// orders.cc: a program of docs/cookbook.md: rules give prices for orders; one kind of orders is refused.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Order {
    std::string customer;
    int kind, quantity, price;
};
struct Rule {
    virtual ~Rule() {}
    virtual bool applies(const Order &) const { return true; }
    virtual long price(const Order &order) const { return order.quantity * order.price; }
};
struct Bulk : Rule {
    bool applies(const Order &order) const override { return order.quantity > 80; }
    long price(const Order &order) const override { return order.quantity * order.price * 9 / 10; }
};
struct Fragile : Rule {
    bool applies(const Order &order) const override { return order.kind == 2; }
    long price(const Order &order) const override {
        if (order.quantity > 90)
            throw std::runtime_error("too many for one parcel: " + order.customer);
        return order.quantity * order.price + 100;
    }
};

static unsigned next() {
    static unsigned seed = 1;
    return seed = seed * 1103515245 + 12345, seed >> 16 & 0x7fff;
}

static std::vector<Order> read_orders(int count) {
    std::vector<Order> orders;
    for (int i = 0; i < count; i++)
        orders.push_back({"customer number " + std::to_string(next() % 97), int(next() % 3), int(next() % 100), int(next() % 50)});
    return orders;
}

int main() {
    std::vector<std::unique_ptr<Rule>> rules;
    rules.emplace_back(new Fragile);
    rules.emplace_back(new Bulk);
    rules.emplace_back(new Rule);
    std::map<std::string, long> sums;
    char *letter = new char[4096];
    int refused = 0;
    for (const Order &order : read_orders(1000))
        for (const auto &rule : rules)
            if (rule->applies(order)) {
                try {
                    sums[order.customer] += rule->price(order);
                } catch (const std::exception &) {
                    if (refused++ == 100)
                        std::snprintf(letter, 4096, "We have refused %d orders", refused);
                }
                break;
            }
    std::printf("%zu customers, %d orders refused\n", sums.size(), refused);
    delete[] letter;
    return 0;
}
