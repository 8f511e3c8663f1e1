//===- cilk.h - <cilk/cilk.h> for the serial elision --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands where an ordinary compiler looks for <cilk/cilk.h>; elide.h has
// defined the words away already.
//
//===----------------------------------------------------------------------===//
