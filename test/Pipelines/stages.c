// stages.c - cilk2chan-opt knows the stages of the compiler by their names.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -march=x86-64-v4 --dump-after=import -c %s -o %t.o 2> %t.import.mlir
// RUN: cilk2chan-opt --raise-to-cilk %t.import.mlir -o %t.cilk.mlir
// RUN: FileCheck --check-prefix=RAISE %s < %t.cilk.mlir
// RAISE: cilk.spawn @fib
// RAISE: cilk.sync

// RUN: cilk2chan-opt --transform-cilk=batch-forms --lower-to-chan="serial-clones batch-forms" %t.cilk.mlir -o %t.chan.mlir
// RUN: FileCheck --check-prefix=CHAN %s < %t.chan.mlir
// CHAN: chan.kernel @fib.batch.reduce
// CHAN: chan.kernel @fib.0
// CHAN: chan.stack entry @fib.entry{{.*}} serial @fib.serial batch

// RUN: cilk2chan-opt --add-lanes="vector-bits=512" --lower-to-host=vector-bits=512 %t.chan.mlir | FileCheck --check-prefix=HOST %s
// HOST-NOT: chan.kernel
// HOST: llvm.func internal @fib.batch.reduce(

// For a machine.
// RUN: cilk2chan-opt --transform-cilk --lower-to-chan --lower-to-vgiw %t.cilk.mlir | FileCheck --check-prefix=VGIW %s
// VGIW-NOT: chan.kernel
// VGIW: llvm.func {{.*}}@fib.0(

// RUN: cilk2chan-opt --help | FileCheck --check-prefix=HELP %s
// HELP: Pass Pipelines:
// HELP: --add-lanes
// HELP: --lower-to-chan
// HELP: --lower-to-host
// HELP: --lower-to-vgiw
// HELP: --map-to-simt
// HELP: --map-to-vgiw
// HELP: --raise-to-cilk
// HELP: --transform-cilk

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}
