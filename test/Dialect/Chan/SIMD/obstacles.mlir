//===- obstacles.mlir - Kernels that cannot have lanes --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" --remarks-filter-missed=chan-simd --split-input-file %s 2>%t | FileCheck --implicit-check-not=batch %s
// RUN: FileCheck --check-prefix=WHY %s < %t

// CHECK-COUNT-17: chan.kernel

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it has an atomic operation
  %x = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it has an atomic operation
  %x = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it has an atomic operation
  llvm.fence seq_cst
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it accesses volatile memory
  llvm.store volatile %n, %p : i32, !llvm.ptr
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it accesses a 'long double' in memory
  %x = llvm.load %p : !llvm.ptr -> f80
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr, w: i128) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it passes on or returns an '__int128'
  %x = chan.get "w" of %e : <@s> -> i128
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+2]]:{{.*}}'k.batch.0' is not used for batches: it computes with a vector of 2 elements, each an integer of 64 bits
  %x = llvm.mlir.zero : vector<2xi64>
  %y = llvm.add %x, %x : vector<2xi64>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr, w: !llvm.struct<(i32)>) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: a struct is passed by value
  chan.copy_out "w" of %e to %p : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it has inline assembly
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it has an operation 'llvm.intr.stackrestore'
  llvm.intr.stackrestore %p : !llvm.ptr
  chan.tfree %e : <@s>
  chan.done
}

// -----

llvm.func @lock(!llvm.ptr) attributes {passthrough = ["chan.quick"]}
chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+2]]:{{.*}}'k.batch.0' is not used for batches: it calls several functions, or one in a loop, that may take locks
  llvm.call @lock(%p) : (!llvm.ptr) -> ()
  llvm.call @lock(%p) : (!llvm.ptr) -> ()
  chan.tfree %e : <@s>
  chan.done
}

// -----

llvm.func @lock(!llvm.ptr) attributes {passthrough = ["chan.quick"]}
chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+3]]:{{.*}}'k.batch.0' is not used for batches: it calls several functions, or one in a loop, that may take locks
  llvm.br ^loop
^loop:
  llvm.call @lock(%p) : (!llvm.ptr) -> ()
  %c = llvm.icmp "eq" %n, %n : i32
  llvm.cond_br %c, ^loop, ^end
^end:
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE-4]]:{{.*}}'k.batch.0' is not used for batches: it has a loop without an end
  llvm.br ^loop
^loop:
  llvm.br ^loop
^end:
  chan.tfree %e : <@s>
  chan.done
}

// -----

llvm.func @f(i32)
chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0, @k.batch.1]
chan.stack entry @t(a0: i32, callee: !llvm.ptr) : !llvm.func<void (i32)>
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s produces [@t + 1] frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: it spawns through a pointer
  %t = chan.talloc + 1 for %p : <@t>
  chan.set "a0" of %t to %n : <@t>, i32
  chan.enq %t site 0 : <@t>
  chan.pend 1
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.1 consumes @s frame 0 phase 1 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @u consumes @t frame 0 {
  %e = chan.deq : <@t>
  chan.tfree %e : <@t>
  chan.done
}

// -----

chan.stack entry @s(n: i32) batch [@k.batch.0, @k.batch.1]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s produces [@s + 1] frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: a spawn's arguments are evaluated in different blocks
  %t = chan.talloc + 1 : <@s>
  llvm.br ^next
^next:
  chan.set "n" of %t to %n : <@s>, i32
  chan.enq %t site 0 : <@s>
  chan.pend 1
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.1 consumes @s frame 0 phase 1 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k.batch.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  llvm.br ^wait
^wait:
  // WHY: [[#@LINE+1]]:{{.*}}'k.batch.0' is not used for batches: a loop goes on for what an atomic load finds, which another lane may have to store
  %x = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %less = llvm.icmp "slt" %x, %n : i32
  llvm.cond_br %less, ^wait, ^after
^after:
  chan.done
}
