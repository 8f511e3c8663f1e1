//===- locks.mlir - Calls under a lock ------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk %s | FileCheck %s

llvm.func @__cilk_sync()
llvm.func @Cilk_lock(!llvm.ptr)
llvm.func @Cilk_unlock(!llvm.ptr)

llvm.func @leaf() {
  llvm.call @__cilk_sync() : () -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @nested(
llvm.func @nested(%a: !llvm.ptr, %b: !llvm.ptr) {
  llvm.call @__cilk_sync() : () -> ()
  // CHECK: cilk.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.call @Cilk_lock(%a) : (!llvm.ptr) -> ()
  llvm.call @Cilk_lock(%b) : (!llvm.ptr) -> ()
  llvm.call @Cilk_unlock(%b) : (!llvm.ptr) -> ()
  // CHECK: llvm.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.call @Cilk_unlock(%a) : (!llvm.ptr) -> ()
  // CHECK: cilk.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.return
}

// Some are held at the head of the loop, nobody knows how many.
// CHECK-LABEL: llvm.func @loop(
llvm.func @loop(%a: !llvm.ptr, %more: i1) {
  llvm.call @__cilk_sync() : () -> ()
  llvm.br ^head
^head:
  // CHECK: llvm.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.cond_br %more, ^body, ^exit
^body:
  llvm.call @Cilk_lock(%a) : (!llvm.ptr) -> ()
  llvm.br ^head
^exit:
  llvm.call @Cilk_unlock(%a) : (!llvm.ptr) -> ()
  // CHECK: llvm.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.return
}

llvm.func @pthread_mutex_lock(!llvm.ptr) -> i32
llvm.func @pthread_mutex_unlock(!llvm.ptr) -> i32
llvm.func @sem_wait(!llvm.ptr) -> i32
llvm.func @sem_post(!llvm.ptr) -> i32
llvm.func @take() attributes {passthrough = ["cold", ["cilk.lock", "acquires"]]}
llvm.func @give() attributes {passthrough = [["cilk.lock", "releases"]]}

// CHECK-LABEL: llvm.func @others(
llvm.func @others(%a: !llvm.ptr) {
  llvm.call @__cilk_sync() : () -> ()
  %0 = llvm.call @pthread_mutex_lock(%a) : (!llvm.ptr) -> i32
  // CHECK: llvm.call @leaf
  llvm.call @leaf() : () -> ()
  %1 = llvm.call @pthread_mutex_unlock(%a) : (!llvm.ptr) -> i32
  // CHECK: cilk.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.call @take() : () -> ()
  // CHECK: llvm.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.call @give() : () -> ()
  // Somebody else posts it: no lock.
  %2 = llvm.call @sem_wait(%a) : (!llvm.ptr) -> i32
  // CHECK: cilk.call @leaf
  llvm.call @leaf() : () -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @semaphore(
llvm.func @semaphore(%a: !llvm.ptr) {
  llvm.call @__cilk_sync() : () -> ()
  %0 = llvm.call @sem_wait(%a) : (!llvm.ptr) -> i32
  // CHECK: llvm.call @leaf
  llvm.call @leaf() : () -> ()
  %1 = llvm.call @sem_post(%a) : (!llvm.ptr) -> i32
  llvm.return
}
