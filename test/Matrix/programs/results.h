//===- results.h - What the two files share -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations for results.c and results.more.c: `calls_of_main_file` is of the
// first, all else of the second.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_MATRIX_RESULTS_H
#define TEST_MATRIX_RESULTS_H

struct pair {
  int first;
  double second;
  char tag;
};
struct large {
  long part[8];
};

extern int shared_number;
int calls_of_main_file(int n);
int calls_back(int n);
int in_other_file(int n);
int twice_in_parallel(int n);

#endif
