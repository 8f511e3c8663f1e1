//===- invalid.mlir - Batch forms that cannot run ----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host --split-input-file --verify-diagnostics %s

// expected-error @+1 {{has a batch that cannot run: it has no signature}}
chan.stack entry @s(a0: i32) batch [@s.batch.0]
chan.kernel @s.batch.0 consumes @s produces [@s + 1] frame 0 phase 0 lanes 4 {
  %x, %m = chan.deq : <@s> mask vector<4xi1>
  %v = chan.get "a0" of %x : <@s> -> vector<4xi32>
  chan.tfree %x : <@s>
  %c = chan.talloc + 1 : <@s> mask %m : vector<4xi1>
  chan.set "a0" of %c to %v : <@s>, vector<4xi32>
  chan.enq %c site 0 : <@s>
  chan.done
}
chan.kernel @s.0 consumes @s frame 0 {
  %x = chan.deq : <@s>
  chan.tfree %x : <@s>
  chan.done
}

// -----

llvm.func @f(i32)
// expected-error @+1 {{has a batch that cannot run: chan-simd has given its kernels no lanes}}
chan.stack entry @s(a0: i32) function @f batch [@s.batch.0] : !llvm.func<void (i32)>
chan.kernel @s.batch.0 consumes @s produces [@s + 1] frame 0 phase 0 {
  %x = chan.deq : <@s>
  %v = chan.get "a0" of %x : <@s> -> i32
  chan.tfree %x : <@s>
  %c = chan.talloc + 1 : <@s>
  chan.set "a0" of %c to %v : <@s>, i32
  chan.enq %c site 0 : <@s>
  chan.done
}
chan.kernel @s.0 consumes @s frame 0 {
  %x = chan.deq : <@s>
  chan.tfree %x : <@s>
  chan.done
}

// -----

llvm.func @f(i32)
// expected-error @+1 {{has a batch that cannot run: its kernels spawn nothing}}
chan.stack entry @s(a0: i32) function @f batch [@s.batch.0] : !llvm.func<void (i32)>
chan.kernel @s.batch.0 consumes @s frame 0 phase 0 lanes 4 {
  %x, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %x : <@s>
  chan.done
}
chan.kernel @s.0 consumes @s frame 0 {
  %x = chan.deq : <@s>
  chan.tfree %x : <@s>
  chan.done
}
