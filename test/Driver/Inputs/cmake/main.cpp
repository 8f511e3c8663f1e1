extern "C" {
#include "fib.h"
}
#include <iostream>

int main() { std::cout << inside(21) << '\n'; }
