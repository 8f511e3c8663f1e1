// Results in arrays, where all that can be is in lanes, and no clone takes what
// is small.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O2 -fcilk-serialize %S/../../Language/results-in-arrays.c -o %t
// RUN: %t > %t.expected
// RUN: cilk2chan -w -O2 -march=x86-64 -fno-chan-serial -fchan-batch -fchan-lanes=4 %S/../../Language/results-in-arrays.c -o %t
// RUN: CHAN_WORKERS=1 %t | diff - %t.expected
// RUN: cilk2chan -w -O2 -fno-chan-serial -fchan-batch -fchan-lanes=8 %S/../../Language/results-in-arrays.c -o %t
// RUN: CHAN_WORKERS=1 %t | diff - %t.expected
// RUN: CHAN_WORKERS=2 %t | diff - %t.expected
