// main.cpp - Calls from C++ what a file of the test spawns.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" {
#include "fib.h"
}
#include <cstdlib>
#include <iostream>

int main() {
  std::cout << "fib(20) = " << fib(20) << '\n';
  return EXIT_SUCCESS;
}
