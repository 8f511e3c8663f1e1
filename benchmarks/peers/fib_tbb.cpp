//===- fib_tbb.cpp - Fibonacci with oneTBB's task_group ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same program as docs/examples/fib.c, with one task where that spawns. The
// second argument is the number of threads.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_group.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x, y;
  tbb::task_group children;
  children.run([&] { x = fib(n - 1); });
  y = fib(n - 2);
  children.wait();
  return x + y;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 30;
  int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                            threads);
  std::printf("fib(%d) = %ld\n", n, fib(n));
  return 0;
}
