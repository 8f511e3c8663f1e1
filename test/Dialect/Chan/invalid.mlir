//===- invalid.mlir - What the chan verifiers refuse ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --split-input-file --verify-diagnostics %s

// A stack.

// expected-error @+1 {{has two fields called 'n'}}
chan.stack entry @s(n: i32, n: i32)

// -----

// expected-error @+1 {{has 1 field names and 2 field types}}
"chan.stack"() <{field_names = ["a"], field_types = [i32, i64], kind = 0 : i32, sym_name = "s"}> : () -> ()

// -----

llvm.func @f()
// expected-error @+1 {{holds continuations and cannot stand for a function}}
chan.stack continuation @s(n: i32) function @f : !llvm.func<void ()>

// -----

llvm.func @f()
// expected-error @+1 {{names a function but not its signature}}
chan.stack entry @s() function @f

// -----

// expected-error @+1 {{has a field of a type without a known size, 'tensor<2xi32>'}}
chan.stack entry @s(n: tensor<2xi32>)

// -----

llvm.func @f(i32)
// expected-error @+1 {{needs a field 'a0' of type 'i32'}}
chan.stack entry @s(a0: i64) function @f : !llvm.func<void (i32)>

// -----

llvm.func @f(i32) -> i32
// expected-error @+1 {{needs a field 'ret' of type '!llvm.ptr'}}
chan.stack entry @s(a0: i32) function @f : !llvm.func<i32 (i32)>

// -----

llvm.func @f(i32)
// expected-error @+1 {{has 2 fields, but its signature makes 1}}
chan.stack entry @s(a0: i32, a1: i32) function @f : !llvm.func<void (i32)>

// -----

// expected-error @+1 {{'f' does not name a function}}
chan.stack entry @s() function @f : !llvm.func<void ()>
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{has no consumer}}
chan.stack entry @s(n: i32)

// -----

// Kernels and their edges.

chan.stack entry @s(n: i32)
// expected-error @+1 {{consumes 's', which has a consumer already}}
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
// expected-note @+1 {{the other consumer is here}}
chan.kernel @k2 consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{'s' does not name a channel stack}}
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

llvm.func @t()
chan.stack entry @s(n: i32)
// expected-error @+1 {{'t' does not name a channel stack}}
chan.kernel @k consumes @s produces [@t + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@t>
  chan.enq %c : <@t>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{has 1 edges and 0 levels}}
"chan.kernel"() <{consumes = @s, frame_size = 0 : i64, levels = [], produces = [@s], sym_name = "k"}> ({
  %e = "chan.deq"() : () -> !chan.element<@s>
  "chan.tfree"(%e) : (!chan.element<@s>) -> ()
  "chan.done"() : () -> ()
}) : () -> ()

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{enqueues into entry stack 's' at +0; children go to +1, continuations to +0}}
chan.kernel @k consumes @s produces [@s + 0] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 0 : <@s>
  %nc = llvm.mlir.constant(1 : i32) : i32
  chan.set "n" of %c to %nc : <@s>, i32
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.stack continuation @after()
chan.kernel @a consumes @after frame 0 {
  %e = chan.deq : <@after>
  chan.tfree %e : <@after>
  chan.done
}
// expected-error @+1 {{enqueues into continuation stack 'after' at +1; children go to +1, continuations to +0}}
chan.kernel @k consumes @s produces [@after + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@after>
  chan.enq %c : <@after>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{makes an edge that the kernel does not declare: @s + 1}}
  %c = chan.talloc + 1 : <@s>
  %nc = llvm.mlir.constant(1 : i32) : i32
  chan.set "n" of %c to %nc : <@s>, i32
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{declares an edge that its body does not make: @s + 1}}
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{attribute 'frame_size' failed to satisfy constraint}}
"chan.kernel"() <{consumes = @s, frame_size = -8 : i64, levels = [], produces = [], sym_name = "k"}> ({
  %e = "chan.deq"() : () -> !chan.element<@s>
  "chan.tfree"(%e) : (!chan.element<@s>) -> ()
  "chan.done"() : () -> ()
}) : () -> ()

// -----

// Allocation.

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{allocates 2 levels deeper; a child stands one level deeper, a continuation none}}
  %c = chan.talloc + 2 : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{spawns through a pointer, so its level must be +1}}
  %c = chan.talloc + 0 for %p : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{spawns through a pointer, so 's' must have a signature and a field 'callee', but no function}}
  %c = chan.talloc + 1 for %p : <@s>
  %nc = llvm.mlir.constant(1 : i32) : i32
  chan.set "n" of %c to %nc : <@s>, i32
  chan.enq %c : <@s>
  chan.done
}

// -----

// Fields.

// expected-note @+1 {{the stack is declared here}}
chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  // expected-error @+1 {{names no field of 's': 'm'}}
  %m = chan.get "m" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  // expected-error @+1 {{uses type 'i64' for field 'n' of type 'i32'}}
  %m = chan.get "n" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@s>
  %x = llvm.mlir.constant(1 : i64) : i64
  // expected-error @+1 {{uses type 'i64' for field 'n' of type 'i32'}}
  chan.set "n" of %c to %x : <@s>, i64
  chan.enq %c : <@s>
  chan.done
}

// -----

// expected-note @+1 {{the stack is declared here}}
chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  %c = chan.talloc + 1 : <@s>
  %nc = llvm.mlir.constant(1 : i32) : i32
  chan.set "n" of %c to %nc : <@s>, i32
  // expected-error @+1 {{names no field of 's': 'm'}}
  chan.copy_in "m" of %c from %p : <@s>
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{does not begin with chan.deq}}
chan.kernel @k consumes @s frame 0 {
  %p = llvm.mlir.zero : !llvm.ptr
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-note @+1 {{the stack is declared here}}
chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{names no field of 's': 'm'}}
  chan.copy_out "m" of %e to %p : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@s>
  // expected-error @+1 {{enqueues an element whose field 'n' is not set on every path}}
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %b = llvm.icmp "eq" %n, %zero : i32
  %c = chan.talloc + 1 : <@s>
  llvm.cond_br %b, ^set, ^go
^set:
  chan.set "n" of %c to %n : <@s>, i32
  llvm.br ^go
^go:
  // expected-error @+1 {{enqueues an element whose field 'n' is not set on every path}}
  chan.enq %c : <@s>
  chan.done
}

// -----

// Elements on every path.

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  // expected-error @+1 {{takes an element of 't', but the kernel consumes 's'}}
  %e = chan.deq : <@t>
  chan.tfree %e : <@t>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is the second in its kernel}}
  %again = chan.deq : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{passes an element through a block argument}}
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
^unreached(%f: !chan.element<@s>):
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  // expected-error @+1 {{has an element that is not freed on every path}}
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %b = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %b, ^free, ^forget
^free:
  chan.tfree %e : <@s>
  chan.done
^forget:
  // expected-note @+1 {{a path without it ends here}}
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  // expected-note @+1 {{the element comes from here}}
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{uses an element after it was freed}}
  %n = chan.get "n" of %e : <@s> -> i32
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  // expected-note @+1 {{the element comes from here}}
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{uses an element after it was freed}}
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{has an element that is not enqueued on every path}}
  %c = chan.talloc + 1 : <@s>
  %nc = llvm.mlir.constant(1 : i32) : i32
  chan.set "n" of %c to %nc : <@s>, i32
  // expected-note @+1 {{a path without it ends here}}
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-note @+1 {{the element comes from here}}
  %c = chan.talloc + 1 : <@s>
  %nc = llvm.mlir.constant(1 : i32) : i32
  chan.set "n" of %c to %nc : <@s>, i32
  chan.enq %c : <@s>
  llvm.br ^again
^again:
  // expected-error @+1 {{uses an element after it was enqueued}}
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %b = llvm.icmp "eq" %n, %zero : i32
  llvm.br ^loop
^loop:
  // expected-error @+1 {{allocates again before its element is enqueued}}
  %c = chan.talloc + 1 : <@s>
  chan.set "n" of %c to %n : <@s>, i32
  llvm.cond_br %b, ^loop, ^exit
^exit:
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  // expected-error @+1 {{writes an element that was not allocated}}
  chan.enq %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@s>
  // expected-error @+1 {{reads an element that was not dequeued}}
  %n = chan.get "n" of %c : <@s> -> i32
  chan.set "n" of %c to %n : <@s>, i32
  chan.enq %c : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{cannot use an element}}
  chan.deliver %e to %p : !chan.element<@s>
  chan.done
}

// -----

// Frames, stack objects and ends.

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is of 16 bytes, but the kernel's frame is of 32}}
  %f = chan.frame 16
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{is of 16 bytes, but the kernel's frame is of 32}}
  chan.frame_free %p, 16
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %f = chan.frame 32
  // expected-error @+1 {{may allocate a second frame}}
  %g = chan.frame 32
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  llvm.br ^loop
^loop:
  // expected-error @+1 {{may allocate a second frame}}
  %g = chan.frame 32
  llvm.br ^loop
}

// -----

chan.stack continuation @after()
chan.kernel @k consumes @after frame 32 {
  %e = chan.deq : <@after>
  chan.tfree %e : <@after>
  // expected-error @+1 {{is not in an entry kernel: the activation has its frame already}}
  %f = chan.frame 32
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  // expected-error @+1 {{in a kernel must be of constant size and in the first block; use chan.alloca}}
  %p = llvm.alloca %n x i8 : (i32) -> !llvm.ptr
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %n = llvm.mlir.constant(8 : i32) : i32
  llvm.br ^next
^next:
  // expected-error @+1 {{in a kernel must be of constant size and in the first block; use chan.alloca}}
  %p = llvm.alloca %n x i8 : (i32) -> !llvm.ptr
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{cannot end a kernel}}
  llvm.return
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{'missing' does not name a function}}
  %d = chan.defer 8 align 8 in %p apply @missing to %p
  chan.done
}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{expects parent op 'chan.kernel'}}
  chan.apply %p
  llvm.return
}

// -----

chan.stack entry @s(n: i64)
chan.kernel @k consumes @s frame 8 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  %f = chan.frame 8
  // expected-error @+1 {{attribute 'alignment' failed to satisfy constraint}}
  %p = chan.alloca %n in %f align 12 : i64
  chan.done
}

// -----

chan.stack entry @s(n: i64)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %f = chan.frame 32
  // expected-error @+1 {{attribute 'alignment' failed to satisfy constraint}}
  %p = chan.defer 4 align 0 in %f to %f
  chan.done
}

// -----

chan.stack entry @s(n: i64)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %f = chan.frame 32
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint}}
  %p = chan.defer 0 align 4 in %f to %f
  chan.done
}

// -----

chan.stack entry @s(n: i64)
llvm.func @add(!llvm.ptr)
chan.kernel @k consumes @s frame 32 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %f = chan.frame 32
  // expected-error @+1 {{applies 'add' of type '!llvm.func<void (ptr)>', which must be '!llvm.func<void (ptr, ptr)>'}}
  %p = chan.defer 4 align 4 in %f apply @add to %f
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint}}
  %f = chan.frame 0
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint}}
  chan.frame_free %p, 0
  chan.done
}

// -----

// Where nodes and what is in them stand.

// expected-error @+1 {{is interposable but stands for no function}}
chan.stack entry @s(n: i32) interposable

// -----

llvm.func @f()
llvm.func @clone(!llvm.ptr)
// expected-error @+1 {{is interposable and cannot have a serial clone}}
chan.stack entry @s() interposable function @f serial @clone : !llvm.func<void ()>

// -----

// expected-error @+1 {{names a serial clone but no signature}}
chan.stack entry @s() serial @clone

// -----

llvm.func @f()
// expected-error @+1 {{'clone' does not name a function}}
chan.stack entry @s() function @f serial @clone : !llvm.func<void ()>

// -----

llvm.func @f(i32) -> i32
llvm.func @clone(i32) -> i32
// expected-error @+1 {{has a serial clone of type '!llvm.func<i32 (i32)>'; expected the worker's address before the parameters, '!llvm.func<i32 (ptr, i32)>'}}
chan.stack entry @s(a0: i32, ret: !llvm.ptr) function @f serial @clone : !llvm.func<i32 (i32)>

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{'f' does not name a function}}
chan.kernel @k consumes @s frame 0 source @f {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{has arguments; its element is all that it is given}}
chan.kernel @k consumes @s frame 0 {
^entry(%n: i32):
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

llvm.func @f() {
  // expected-error @+1 {{expects parent op 'builtin.module'}}
  chan.stack entry @s(n: i32)
  llvm.return
}

// -----

llvm.func @f() {
  // expected-error @+1 {{expects parent op 'builtin.module'}}
  chan.kernel @k consumes @s frame 0 {
    %e = chan.deq : <@s>
    chan.tfree %e : <@s>
    chan.done
  }
  llvm.return
}

// -----

llvm.func @f()
chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{expects parent op 'llvm.func'}}
  cilk.spawn @f() : !llvm.func<void ()>
  chan.done
}

// -----

chan.stack entry @s(n: i32)
chan.kernel @k consumes @s frame 0 {
  // expected-error @+1 {{block with no terminator}}
  %e = chan.deq : <@s>
}

// -----

chan.stack entry @s(n: i32)
// expected-error @+1 {{empty block: expect at least a terminator}}
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  llvm.br ^next
^next:
}

// -----

// expected-error @+1 {{region #0 ('body') failed to verify constraint: region with at least 1 blocks}}
"chan.kernel"() <{consumes = @s, frame_size = 0 : i64, levels = [], produces = [], sym_name = "k"}> ({
}) : () -> ()

// -----

// expected-note @+1 {{the stack is declared here}}
chan.stack entry @s(n: i32)
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@s>
  %n = llvm.mlir.constant(1 : i32) : i32
  // expected-error @+1 {{names no field of 's': 'm'}}
  chan.set "m" of %c to %n : <@s>, i32
  chan.enq %c : <@s>
  chan.done
}

// -----

// Lanes.

chan.stack entry @s()
// expected-error @+1 {{attribute 'lanes' failed to satisfy constraint}}
chan.kernel @k consumes @s frame 0 lanes 6 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr)
chan.kernel @k consumes @s frame 0 lanes 4 {
  // expected-error @+1 {{has no mask, but its kernel has lanes}}
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr)
chan.kernel @k consumes @s frame 0 {
  // expected-error @+1 {{has a mask of 'vector<4xi1>', but its kernel has no lanes}}
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr)
chan.kernel @k consumes @s frame 0 lanes 4 {
  // expected-error @+1 {{has a mask of 'vector<8xi1>', but its kernel has 4 lanes}}
  %e, %m = chan.deq : <@s> mask vector<8xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@k]
chan.kernel @plain consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k consumes @s frame 0 phase 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  // expected-error @+1 {{uses type 'i32' for field 'n' of type 'vector<4xi32>'}}
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: !llvm.struct<(i32)>) batch [@k]
chan.kernel @plain consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k consumes @s frame 0 phase 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  // expected-error @+1 {{cannot have field 'n' in lanes}}
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr)
chan.kernel @k consumes @s produces [@s + 1] frame 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = chan.get "n" of %e : <@s> -> vector<4xi32>
  %p = chan.get "p" of %e : <@s> -> vector<4x!llvm.ptr>
  %t = chan.talloc + 1 : <@s> mask %m : vector<4xi1>
  chan.set "n" of %t to %n : <@s>, vector<4xi32>
  chan.set "p" of %t to %p : <@s>, vector<4x!llvm.ptr>
  llvm.br ^next
^next:
  // expected-error @+1 {{is in another block than the talloc of several lanes}}
  chan.enq %t : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: i32, p: !llvm.ptr)
chan.kernel @k consumes @s produces [@s + 1] frame 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = chan.get "n" of %e : <@s> -> vector<4xi32>
  %p = chan.get "p" of %e : <@s> -> vector<4x!llvm.ptr>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.extractelement %p[%zero : i32] : vector<4x!llvm.ptr>
  // expected-error @+1 {{spawns through a pointer, so it has no mask}}
  %t = chan.talloc + 1 for %one : <@s> mask %m : vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(n: !llvm.struct<(i32)>, p: !llvm.ptr)
chan.kernel @k consumes @s produces [@s + 1] frame 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %p = chan.get "p" of %e : <@s> -> vector<4x!llvm.ptr>
  %null = llvm.mlir.zero : !llvm.ptr
  %t = chan.talloc + 1 : <@s> mask %m : vector<4xi1>
  // expected-error @+1 {{copies into the elements of several lanes}}
  chan.copy_in "n" of %t from %null : <@s>
  chan.set "p" of %t to %p : <@s>, vector<4x!llvm.ptr>
  chan.enq %t : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s()
// expected-error @+1 {{has lanes, but is no phase of a batch}}
chan.kernel @k consumes @s frame 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{'k' does not name the kernel of its phase 0}}
chan.stack entry @s() batch [@k]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{has 1 kernels that handle results or reduce them join-free among 1 kernels of its batch; the first is for the beginning}}
chan.stack entry @s() batch [@k] result_handlers 1
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// Only the kernel for a join-free reduction may be alone.
// expected-error @+1 {{has 2 kernels that handle results or reduce them join-free among 2 kernels of its batch; the first is for the beginning}}
chan.stack entry @s(ret: !llvm.ptr) batch [@k.0, @k.1] result_handlers 1 join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32, ret: !llvm.ptr) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "a0" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel for the join-free reduction, the last of its stack's batch}}
  chan.reduce_result %n : i32
  chan.done
}
chan.kernel @k.1 consumes @s frame 0 phase 1 {
  %e = chan.deq : <@s>
  %n = chan.get "a0" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  chan.reduce_result %n : i32
  chan.done
}

// -----

chan.stack entry @s(ret: !llvm.ptr)
chan.kernel @k consumes @s frame 4 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  %p = chan.local 0 size 4
  chan.done
}

// -----

chan.stack entry @s(ret: !llvm.ptr)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  chan.pend 1
  chan.done
}

// -----

chan.stack entry @s(a0: i32, ret: !llvm.ptr)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "a0" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  chan.result %n : i32
  chan.done
}

// -----

chan.stack entry @s(ret: !llvm.ptr)
chan.kernel @k consumes @s frame 8 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{ends at byte 12 of the activation's 8}}
  %p = chan.local 4 size 8
  chan.done
}

// -----

chan.stack entry @s(ret: !llvm.ptr)
chan.kernel @k consumes @s frame 8 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is in the phase that spawns the child}}
  %spawned, %v = chan.child 0 : i1, i32
  chan.done
}

// -----

chan.stack entry @s(ret: !llvm.ptr)
chan.kernel @k consumes @s frame 8 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %other = llvm.mlir.constant(dense<true> : vector<8xi1>) : vector<8xi1>
  // expected-error @+1 {{has a mask of 'vector<8xi1>', but its kernel has 4 lanes}}
  chan.pend 1 mask %other : vector<8xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{holds continuations, of which there are as many as have started, whatever its width}}
chan.stack continuation @s() width 8

// -----

// expected-error @+1 {{names no field of its own: 'a1'}}
chan.stack entry @s(a0: i32, ret: !llvm.ptr) batch [@k.0] uniform ["a1"]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{names no field of its own: 'a1'}}
chan.stack entry @s(a0: i32, ret: !llvm.ptr) batch [@k.0] prefetched ["a1"]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{prefetches 'a0', which is no pointer that elements have each}}
chan.stack entry @s(a0: i32, ret: !llvm.ptr) batch [@k.0] prefetched ["a0"]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{prefetches 'ret', which is no pointer that elements have each}}
chan.stack entry @s(a0: i32, ret: !llvm.ptr) batch [@k.0] uniform ["ret"] prefetched ["ret"]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
// expected-error @+1 {{is compacted, so it must be for a join-free reduction, have lanes, and name two kernels}}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 compacted [@a] {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @a consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = llvm.mlir.constant(0 : i32) : i32
  chan.iteration_enq %n : i32 mask %m : vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
// expected-error @+1 {{'b' does not name a kernel of as many lanes for the same phase}}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 compacted [@a, @b] {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @a consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = llvm.mlir.constant(0 : i32) : i32
  chan.iteration_enq %n : i32 mask %m : vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @b consumes @s frame 0 phase 1 lanes 8 {
  %e, %m = chan.deq : <@s> mask vector<8xi1>
  %n = chan.iteration_deq : i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 compacted [@a, @b] {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @a consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = llvm.mlir.constant(0 : i32) : i32
  chan.iteration_enq %n : i32 mask %m : vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
// expected-error @+1 {{has 0 chan.iteration_deq; it needs one}}
chan.kernel @b consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 compacted [@a, @b] {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @a consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = llvm.mlir.constant(0 : i64) : i64
  // expected-error @+1 {{passes on other types than chan.iteration_deq expects}}
  chan.iteration_enq %n : i64 mask %m : vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @b consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = chan.iteration_deq : i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 compacted [@a, @b] {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
// expected-error @+1 {{has more than one chan.iteration_enq}}
chan.kernel @a consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = llvm.mlir.constant(0 : i32) : i32
  chan.iteration_enq %n : i32 mask %m : vector<4xi1>
  chan.iteration_enq %n : i32 mask %m : vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @b consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = chan.iteration_deq : i32
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
// expected-error @+1 {{has lane refill, so it must be compacted}}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 lane_refill {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32) batch [@k.0, @k.1] join_free sum
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.1 consumes @s frame 0 phase 1 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %o = llvm.mlir.constant(dense<true> : vector<8xi1>) : vector<8xi1>
  // expected-error @+1 {{has a mask of 'vector<8xi1>', but its kernel has 4 lanes}}
  chan.iteration mask %o : vector<8xi1>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s()
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  chan.iteration_enq
  chan.done
}

// -----

chan.stack entry @s()
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  chan.iteration
  chan.done
}

// -----

chan.stack entry @s()
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  %n = chan.iteration_deq : i32
  chan.done
}

// -----

chan.stack entry @s(a0: i32, a1: !llvm.ptr) batch [@k.0]
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 lanes 4 {
  %e, %m = chan.deq : <@s> mask vector<4xi1>
  %n = chan.get "a0" of %e : <@s> -> vector<4xi32>
  chan.tfree %e : <@s>
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{has an address that is no field of a batch that all elements have the same of}}
  chan.reduce_shared sum %n to %p mask %m : vector<4xi32>, !llvm.ptr, vector<4xi1>
  chan.done
}

// -----

chan.stack entry @s()
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  // expected-error @+1 {{is not in the kernel of a phase}}
  %t = chan.base_cases_hoisted
  chan.tfree %e : <@s>
  chan.done
}

// -----

// The entry stack of a function that is to be split.

// expected-error @+1 {{'chan.entry' is the symbol of an entry stack of the function's type, not @stack}}
llvm.func @f() attributes {chan.entry = @stack} {
  llvm.return
}

// -----

// expected-error @+1 {{'chan.entry' is the symbol of an entry stack of the function's type, not @f.entry}}
llvm.func @f() attributes {chan.entry = @f.entry} {
  llvm.return
}
chan.stack entry @f.entry(a0: i32) function @f : !llvm.func<void (i32)>

// -----

// expected-error @+1 {{'chan.entry' stands on a function with a body only}}
llvm.func @f() attributes {chan.entry = @f.entry}
chan.stack entry @f.entry() function @f : !llvm.func<void ()>

// -----

// The width of entry stacks that no function asks for another of.

// expected-error @+1 {{'chan.width' is a positive i32, not 0 : i32}}
module attributes {chan.width = 0 : i32} {}

// -----

// expected-error @+1 {{'chan.width' stands on a module only}}
llvm.func @f() attributes {chan.width = 4 : i32}

// -----

// Attributes of the dialect on operations of others.

// expected-error @+1 {{'chan.sized' is no attribute of the chan dialect}}
llvm.func @f() attributes {chan.sized}

// -----

llvm.func @f() {
  // expected-error @+1 {{'chan.size_guard' stands on a conditional branch only}}
  llvm.return {chan.size_guard}
}

// -----

llvm.func @f(%c: i1) {
  // expected-error @+1 {{'chan.size_guard' is a unit, not 1 : i64}}
  llvm.cond_br %c, ^bb1, ^bb1 {chan.size_guard = 1}
^bb1:
  llvm.return
}

// -----

llvm.func @f(%c: i1) {
  // expected-error @+1 {{'chan.base_case_arm' is the number of one of these as an i32, not 2 : i32}}
  llvm.cond_br %c, ^bb1, ^bb1 {chan.base_case_arm = 2 : i32}
^bb1:
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{'chan.base_case_arm' stands on an operation with several ways only}}
  %v = llvm.load %p {chan.base_case_arm = 0 : i32} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{'chan.array_part' is a unit, not "a"}}
  %v = llvm.load %p {chan.array_part = "a"} : !llvm.ptr -> i32
  llvm.return
}

// -----

// expected-error @+1 {{'chan.array_part' stands on a load or a store only}}
llvm.func @f() attributes {chan.array_part}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{'chan.reduction' stands on an llvm.atomicrmw or an llvm.alloca only}}
  %v = llvm.load %p {chan.reduction} : !llvm.ptr -> i32
  llvm.return
}

// -----

// expected-error @+1 {{'chan.divided' is the symbol of a function, not unit}}
llvm.func @f() attributes {chan.divided}

// -----

// expected-error @+1 {{'chan.source' is the symbol of a function, not "g"}}
llvm.func @f() attributes {chan.source = "g"}

// -----

llvm.func @f() {
  // expected-error @+1 {{'chan.source' stands on a function only}}
  llvm.return {chan.source = @f}
}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{'chan.divided' stands on a function only}}
  %v = llvm.load %p {chan.divided = @f} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{'chan.of_iteration' stands on an llvm.alloca only}}
  %v = llvm.load %p {chan.of_iteration} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr) {
  // expected-error @+1 {{'chan.kept' stands on an llvm.alloca only}}
  %v = llvm.load %p {chan.kept} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f() {
  // expected-error @+1 {{'chan.releases' stands on a cilk.sync only}}
  llvm.return {chan.releases}
}

// -----

llvm.func @f() {
  // expected-error @+1 {{'chan.stride' stands on a chan.enq or a chan.destination only}}
  llvm.return {chan.stride = 8 : i64}
}

// -----

chan.stack entry @s(a0: i32, ret: !llvm.ptr) batch [@k.0, @k.1] result_handlers 1
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @k.1 consumes @s frame 0 phase 1 {
  %e = chan.deq : <@s>
  // expected-error @+1 {{'chan.stride' is a positive i64, not 0 : i64}}
  %d = chan.destination {chan.stride = 0 : i64} : !llvm.ptr
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32)
// expected-error @+1 {{is no phase of a batch, so it hoists no base cases and has no elements whose parents do}}
chan.kernel @k consumes @s frame 0 hoists_base_cases {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s(a0: i32)
// expected-error @+1 {{is no phase of a batch, so it hoists no base cases and has no elements whose parents do}}
chan.kernel @k consumes @s frame 0 base_cases_hoisted {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

// expected-error @+1 {{Invalid attribute `without_lanes` in property conversion: 1 : i32}}
"chan.kernel"() <{consumes = @s, frame_size = 0 : i64, levels = [], produces = [], sym_name = "k", without_lanes = 1 : i32}> ({
  %e = "chan.deq"() : () -> !chan.element<@s>
  "chan.tfree"(%e) : (!chan.element<@s>) -> ()
  "chan.done"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{holds continuations, so nothing is said of calls in loops or of batches}}
chan.stack continuation @s(frame: !llvm.ptr) calls_in_loops

// -----

// expected-error @+1 {{has a batch form, so it is not one on other processors only}}
chan.stack entry @s(a0: i32) batch [@k.0] other_batch

// -----

// expected-error @+1 {{holds ranges, so it is an entry stack whose first two fields, the first iteration and the number of iterations, are i64}}
chan.stack entry @s ranges(a0: i64, a1: i32)

// -----

// expected-error @+1 {{holds ranges, so it is an entry stack}}
chan.stack continuation @s ranges(a0: i64, a1: i64)

// -----

llvm.func @f(i64, i64)
// expected-error @+1 {{holds ranges, so it stands for no function}}
chan.stack entry @s ranges(a0: i64, a1: i64) function @f : !llvm.func<void (i64, i64)>

// -----

chan.stack entry @s(a0: i64)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  // expected-error @+1 {{is of an element of 's', which does not hold ranges}}
  %i = chan.range_iteration %e : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s ranges(a0: i64, a1: i64)
// expected-error @+1 {{consumes ranges, so it spawns nothing and has no frame}}
chan.kernel @k consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  %one = llvm.mlir.constant(1 : i64) : i64
  %c = chan.talloc + 1 : <@s>
  chan.set "a0" of %c to %one : <@s>, i64
  chan.set "a1" of %c to %one : <@s>, i64
  chan.enq %c : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// -----

chan.stack entry @s ranges(a0: i64, a1: i64)
chan.kernel @k consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.stack entry @t(a0: i64)
chan.kernel @spawner consumes @t produces [@s + 1] frame 0 {
  %e = chan.deq : <@t>
  %one = llvm.mlir.constant(1 : i64) : i64
  %c = chan.talloc + 1 : <@s>
  // expected-error @+1 {{}}
  %i = chan.range_iteration %c : <@s>
  chan.set "a0" of %c to %one : <@s>, i64
  chan.set "a1" of %c to %one : <@s>, i64
  chan.enq %c : <@s>
  chan.tfree %e : <@t>
  chan.done
}

// -----

// expected-error @+1 {{'chan.range' stands on a function with a body that takes an iteration and their number, both i64, and returns nothing only}}
llvm.func @f(%i: i64, %n: i32) attributes {chan.range} {
  llvm.return
}

// -----

// expected-error @+1 {{has work-groups, so it holds ranges}}
chan.stack entry @s groups of 4 (a0: i64, a1: i64)

// -----

// expected-error @+1 {{has work-groups of 65 threads; a group has a power of two of them, at most 64}}
chan.stack entry @s ranges groups of 65 memory 16(a0: i64, a1: i64)

// -----

// expected-error @+1 {{'chan.group' stands on a function with the attribute 'chan.range' only}}
llvm.func @f(%i: i64, %n: i64) attributes {chan.group = array<i64: 4, 0>} {
  llvm.return
}

// -----

// expected-error @+1 {{'chan.group' is an array of two i64: the threads of a group, a power of two up to 64, and the bytes that they share, not array<i64: 6, 0>}}
llvm.func @f(%i: i64, %n: i64) attributes {chan.range, chan.group = array<i64: 6, 0>} {
  llvm.return
}
