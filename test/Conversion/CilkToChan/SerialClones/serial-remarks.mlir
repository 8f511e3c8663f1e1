//===- serial-remarks.mlir - Which functions have serial clones -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=serial-clones --remark-policy=all --remarks-filter=chan-serial %s 2>&1 | FileCheck --implicit-check-not='llvm.func internal @' %s

// CHECK: 'plain' has a serial clone
llvm.func @plain() {
  cilk.spawn @plain() : !llvm.func<void ()>
  llvm.return
}

// CHECK: 'replaceable' has no serial clone: another definition may take its place when the program is linked
llvm.func weak @replaceable() {
  cilk.spawn @plain() : !llvm.func<void ()>
  llvm.return
}

// CHECK: 'aligned' has no serial clone: a struct passed by value is aligned further than an element
llvm.func @aligned(%s: !llvm.ptr {llvm.byval = !llvm.array<64 x i8>, llvm.align = 64 : i64}) {
  cilk.spawn @plain() : !llvm.func<void ()>
  llvm.return
}

// CHECK: 'swift' has no serial clone: it has a calling convention of its own
llvm.func swiftcc @swift() {
  cilk.spawn @plain() : !llvm.func<void ()>
  llvm.return
}

// CHECK: 'label' has no serial clone: inline assembly in it may define a label; '%=' in the label's name makes copies possible
llvm.func @label() {
  llvm.inline_asm has_side_effects "here: nop", "" : () -> ()
  cilk.spawn @plain() : !llvm.func<void ()>
  llvm.return
}
// CHECK: 'own_label' has a serial clone
llvm.func @own_label() {
  llvm.inline_asm has_side_effects "here${:uid}: nop", "" : () -> ()
  cilk.spawn @plain() : !llvm.func<void ()>
  llvm.return
}

// CHECK: llvm.func internal @plain.serial(
// CHECK: llvm.func internal @own_label.serial(
