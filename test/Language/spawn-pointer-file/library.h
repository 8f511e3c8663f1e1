//===- library.h - Functions by number ----------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIBRARY_H
#define LIBRARY_H

enum { Functions = 3 };

typedef long (*transformer)(long);

transformer transformer_at(int index);
long apply_all(transformer f, const long *values, int count);

#endif
