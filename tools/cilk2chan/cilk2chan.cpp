//===- cilk2chan.cpp - The compiler ---------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Driver/Driver.h"

int main(int argc, char **argv) {
  return cilk2chan::runDriver(llvm::ArrayRef<const char *>(argv, argc));
}
