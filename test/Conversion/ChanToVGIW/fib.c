// A kernel is a function of one element, whose parameters say where the batch and
// the channels are.
// RUN: cilk2chan --emit=mlir -O1 %s -o %t.mlir
// RUN: cilk2chan-opt --chan-to-vgiw %t.mlir | FileCheck %s

// CHECK-LABEL: llvm.func @fib.0(%{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}
// CHECK-SAME: ["vgiw.kernel", "fib.entry"]
// CHECK-SAME: frames 24;control fib.entry 1;
// CHECK-SAME: control fib.after1 0
// A frame, or the thread yields.
// CHECK: llvm.call @__vgiw_pop
// CHECK: llvm.call @__vgiw_yield
// A place for the child, or the thread yields.
// CHECK: llvm.call @__vgiw_reserve
// CHECK: llvm.call @__vgiw_yield
// Its fields, then it is enqueued.
// CHECK: llvm.call @__vgiw_field
// CHECK: llvm.store
// CHECK: llvm.call @__vgiw_enqueue
// CHECK-LABEL: llvm.func @fib.1
// CHECK: llvm.call @__vgiw_push

long fib(long n) {
  if (n < 2)
    return n;
  long x = spawn fib(n - 1);
  long y = spawn fib(n - 2);
  sync;
  return x + y;
}
