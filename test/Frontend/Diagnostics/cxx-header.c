// cxx-header.c - A header of C++ in C is one error.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

// RUN: cp %s %t.cilk && not cilk2chan -c %t.cilk -o %t.o 2>&1 | FileCheck %s
// RUN: not cilk2chan -DMISSING -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MISSING %s

#ifdef MISSING
// MISSING: error: 'nothing-like-it' file not found
#include <nothing-like-it>
#endif
// CHECK: [[@LINE+1]]:10: fatal error: <iostream> is a header of C++, and this is C: write what needs it in a file of C++, and call that
#include <iostream>
using namespace std;
int main() { cout << "hello" << endl; }
// CHECK: 1 error generated
