extern "C" {
#include "fib.h"
}
#include <iostream>

int main() { std::cout << inside(20) << ' ' << outside(20) << '\n'; }
