//===- cost.mlir - What kernels are estimated to take ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="vector-bits=512" --remarks-filter=chan-simd --split-input-file %s -o /dev/null 2>&1 | FileCheck %s

// A loop to a constant is unrolled if it runs at most eight times: it is no
// branch, and what depends on the iteration alone is a constant.
// CHECK: 'four.batch.0' takes about 24 cycles for 8 elements, in lanes 82"
chan.stack entry @s(n: i64, p: !llvm.ptr) batch [@four.batch.0]
chan.kernel @four consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @four.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %limit = llvm.mlir.constant(4 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %limit : i64
  llvm.cond_br %more, ^body, ^after
^body:
  %bit = llvm.and %i, %one : i64
  %odd = llvm.icmp "ne" %bit, %zero : i64
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.cond_br %odd, ^store, ^next
^store:
  llvm.store %n, %q : i64, !llvm.ptr
  llvm.br ^next
^next:
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j : i64)
^after:
  chan.done
}

// -----

// In twice as many iterations there is twice as much to do, beside what is once.
// CHECK: 'eight.batch.0' takes about 48 cycles for 8 elements, in lanes 162"
chan.stack entry @s(n: i64, p: !llvm.ptr) batch [@eight.batch.0]
chan.kernel @eight consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @eight.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %limit = llvm.mlir.constant(8 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %limit : i64
  llvm.cond_br %more, ^body, ^after
^body:
  %bit = llvm.and %i, %one : i64
  %odd = llvm.icmp "ne" %bit, %zero : i64
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.cond_br %odd, ^store, ^next
^store:
  llvm.store %n, %q : i64, !llvm.ptr
  llvm.br ^next
^next:
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j : i64)
^after:
  chan.done
}

// -----

// No more than eight, and what is not unrolled is taken to run eight times.
// CHECK: 'nine.batch.0' takes about 242 cycles for 8 elements, in lanes 168"
chan.stack entry @s(n: i64, p: !llvm.ptr) batch [@nine.batch.0]
chan.kernel @nine consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @nine.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %limit = llvm.mlir.constant(9 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %limit : i64
  llvm.cond_br %more, ^body, ^after
^body:
  %bit = llvm.and %i, %one : i64
  %odd = llvm.icmp "ne" %bit, %zero : i64
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.cond_br %odd, ^store, ^next
^store:
  llvm.store %n, %q : i64, !llvm.ptr
  llvm.br ^next
^next:
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j : i64)
^after:
  chan.done
}

// -----

// How often is not known.
// CHECK: 'unknown.batch.0' takes about 638 cycles for 8 elements, in lanes 1066"
chan.stack entry @s(n: i64, p: !llvm.ptr) batch [@unknown.batch.0]
chan.kernel @unknown consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @unknown.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %limit = llvm.mlir.constant(4 : i64) : i64
  llvm.br ^head(%n : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %limit : i64
  llvm.cond_br %more, ^body, ^after
^body:
  %bit = llvm.and %i, %one : i64
  %odd = llvm.icmp "ne" %bit, %zero : i64
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.cond_br %odd, ^store, ^next
^store:
  llvm.store %n, %q : i64, !llvm.ptr
  llvm.br ^next
^next:
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j : i64)
^after:
  chan.done
}

// -----

// It may be tested behind the iteration.
// CHECK: 'behind.batch.0' takes about 20 cycles for 8 elements, in lanes 8"
chan.stack entry @s(n: i64, ret: !llvm.ptr) batch [@behind.batch.0]
chan.kernel @behind consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @behind.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  %one = llvm.mlir.constant(1 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  llvm.br ^loop(%one, %n : i64, i64)
^loop(%i: i64, %sum: i64):
  %x = llvm.mul %sum, %n : i64
  %j = llvm.add %i, %one : i64
  %last = llvm.icmp "ugt" %j, %three : i64
  llvm.cond_br %last, ^after, ^loop(%j, %x : i64, i64)
^after:
  chan.result %x : i64
  chan.done
}

// -----

// There is no instruction for the upper halves of products of 64 bits.
// CHECK: 'narrow.batch.0' takes about 80 cycles for 16 elements, in lanes 10"
chan.stack entry @s(n: i32, ret: !llvm.ptr) batch [@narrow.batch.0]
chan.kernel @narrow consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @narrow.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %d = llvm.mlir.constant(1000003 : i32) : i32
  %x = llvm.srem %n, %d : i32
  chan.result %x : i32
  chan.done
}

// -----

// CHECK: 'wide.batch.0' takes about 40 cycles for 8 elements, in lanes 42"
chan.stack entry @s(n: i64, ret: !llvm.ptr) batch [@wide.batch.0]
chan.kernel @wide consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @wide.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  %d = llvm.mlir.constant(1000003 : i64) : i64
  %x = llvm.srem %n, %d : i64
  chan.result %x : i64
  chan.done
}

// -----

// What is short is filled without a call.
// CHECK: 'short.batch.0' takes about 44 cycles for 8 elements, in lanes 83"
chan.stack entry @s(n: i64, p: !llvm.ptr, ret: !llvm.ptr) batch [@short.batch.0]
chan.kernel @short consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @short.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %size = llvm.mlir.constant(256 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %x = llvm.add %n, %size : i64
  "llvm.intr.memset"(%p, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  chan.result %x : i64
  chan.done
}

// -----

// CHECK: 'long.batch.0' takes about 172 cycles for 8 elements, in lanes 211"
chan.stack entry @s(n: i64, p: !llvm.ptr, ret: !llvm.ptr) batch [@long.batch.0]
chan.kernel @long consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @long.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %size = llvm.mlir.constant(257 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %x = llvm.add %n, %size : i64
  "llvm.intr.memset"(%p, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  chan.result %x : i64
  chan.done
}

// -----

// Lanes wait for each other once, behind the outer loop: a lane that leaves the inner
// one early leaves both.
// CHECK: 'search.batch.0' takes about 5096 cycles for 16 elements, in lanes 1564"
llvm.mlir.global external @m() : i32
chan.stack entry @s(n: i32, ret: !llvm.ptr) batch [@search.batch.0]
chan.kernel @search consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @search.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %address = llvm.mlir.addressof @m : !llvm.ptr
  %m = llvm.load %address : !llvm.ptr -> i32
  llvm.br ^outer(%zero : i32)
^outer(%i: i32):
  %next = llvm.add %i, %one : i32
  %any = llvm.icmp "slt" %i, %m : i32
  llvm.cond_br %any, ^inner(%next : i32), ^none
^inner(%j: i32):
  %more = llvm.icmp "slt" %j, %m : i32
  llvm.cond_br %more, ^test, ^outer(%next : i32)
^test:
  %product = llvm.mul %i, %j : i32
  %found = llvm.icmp "eq" %product, %n : i32
  %after = llvm.add %j, %one : i32
  llvm.cond_br %found, ^some, ^inner(%after : i32)
^some:
  chan.result %one : i32
  chan.done
^none:
  chan.result %zero : i32
  chan.done
}

// -----

// Here they wait behind each inner one.
// CHECK: 'searches.batch.0' takes about 6368 cycles for 16 elements, in lanes 2170"
llvm.mlir.global external @m() : i32
chan.stack entry @s(n: i32, ret: !llvm.ptr) batch [@searches.batch.0]
chan.kernel @searches consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @searches.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %address = llvm.mlir.addressof @m : !llvm.ptr
  %m = llvm.load %address : !llvm.ptr -> i32
  llvm.br ^outer(%zero : i32)
^outer(%i: i32):
  %next = llvm.add %i, %one : i32
  %any = llvm.icmp "slt" %i, %m : i32
  llvm.cond_br %any, ^inner(%next : i32), ^none
^inner(%j: i32):
  %more = llvm.icmp "slt" %j, %m : i32
  llvm.cond_br %more, ^test, ^outer(%next : i32)
^test:
  %product = llvm.mul %i, %j : i32
  %found = llvm.icmp "eq" %product, %n : i32
  %after = llvm.add %j, %one : i32
  llvm.cond_br %found, ^outer(%next : i32), ^inner(%after : i32)
^none:
  chan.result %zero : i32
  chan.done
}
