//===- odd.h - What the two files share ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ODD_H
#define ODD_H

struct many {
  int value[12];
};

long even(int n);
long odd(int n);
long ordinary(int n, int factor);
struct many make_many(int factor);
long (*choose(int which))(int);

#endif
