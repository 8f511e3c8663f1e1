// delivery.c - What becomes of a spawned call's result.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -fno-chan-serial-clones --dump-after=import -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=__cilk_child %s
// RUN: cilk2chan --emit=llvm %s | FileCheck --check-prefix=APPLY %s

struct Flags {
  int low : 5, high : 7;
};
struct Big {
  long field[4];
};
struct Pair {
  float x, y;
};
int number(int n);
void nothing(void);
_Bool truth(void);
struct Big big(struct Big b);
struct Pair pair(struct Pair p);
int print(const char *format, ...);

// A plain store needs no function: the destination says it all.
// CHECK-LABEL: llvm.func @store(
// CHECK: llvm.call @__cilk_spawn_abi.0(%{{.*}}, %arg0, %{{.*}}) {{.*}}-> i32
int store(int *p) {
  *p = cilk_spawn number(1);
  cilk_sync;
  return *p;
}

// CHECK-LABEL: llvm.func @discard(
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.call @__cilk_spawn_abi.1(%{{.*}}, %[[NULL]], %{{.*}}) {{.*}}-> i32
// CHECK: llvm.call @__cilk_spawn_abi.2(%{{.*}}, %[[NULL]]) {{.*}}-> ()
// CHECK: llvm.call @__cilk_spawn_abi.3(%{{.*}}, %[[NULL]], %{{.*}}, %{{.*}}) vararg(!llvm.func<i32 (ptr, ptr, ptr, ...)>)
void discard(void) {
  cilk_spawn number(2);
  cilk_spawn nothing();
  cilk_spawn print("%d", 3);
  cilk_sync;
}

// The rest have one each, of the same type.
// CHECK-LABEL: llvm.func @convert(
// CHECK: llvm.call @__cilk_spawn_abi.4(
// CHECK: llvm.call @__cilk_spawn_abi.5(
// CHECK: llvm.call @__cilk_spawn_abi.6(
// CHECK: llvm.call @__cilk_spawn_abi.7({{.*}}-> (i1 {{.*}}llvm.zeroext
void convert(long *sum, double *d, struct Flags *flags, _Bool *b) {
  *sum += cilk_spawn number(4);
  *d = cilk_spawn number(5);
  flags->high = cilk_spawn number(6);
  *b = cilk_spawn truth();
  cilk_sync;
}

// A struct in memory: no place for it in the parent, byval for the argument.
// CHECK-LABEL: llvm.func @structs(
// CHECK: %[[POISON:.*]] = llvm.mlir.poison : !llvm.ptr
// CHECK: llvm.call @__cilk_spawn_abi.8(%{{.*}}, %arg0, %[[POISON]], %{{.*}}) {{.*}}llvm.sret = !llvm.struct<"struct.Big"{{.*}}llvm.byval = !llvm.struct<"struct.Big"
// CHECK: llvm.call @__cilk_spawn_abi.9({{.*}}vector<2xf32>) -> vector<2xf32>
void structs(struct Big *b, struct Pair *p) {
  *b = cilk_spawn big(*b);
  *p = cilk_spawn pair(*p);
  cilk_sync;
}

// The apply functions stay LLVM IR; MLIR knows them by name.
// CHECK-DAG: llvm.func @__cilk_apply.4(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @__cilk_apply.5(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @__cilk_apply.6(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @__cilk_apply.7(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @__cilk_apply.8(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @__cilk_apply.9(!llvm.ptr, !llvm.ptr)

// APPLY-NOT: @__cilk_apply.{{[0-3]}}
// APPLY: define internal void @__cilk_apply.4(ptr %[[DST:.*]], ptr %[[RESULT:.*]])
// APPLY: load i32, ptr %[[RESULT]]
// APPLY: sext i32
// APPLY: load i64, ptr %[[DST]]
// APPLY: store i64 %{{.*}}, ptr %[[DST]]
// APPLY: define internal void @__cilk_apply.5(
// APPLY: sitofp i32
// APPLY: define internal void @__cilk_apply.6(
// APPLY: and i16
// APPLY: define internal void @__cilk_apply.7(
// APPLY: zext i1
// APPLY: define internal void @__cilk_apply.8(ptr %[[DST8:.*]], ptr %[[RESULT8:.*]])
// APPLY: memcpy{{.*}}(ptr {{.*}}%{{.*}}, ptr {{.*}}%[[RESULT8]], i64 32
// APPLY: define internal void @__cilk_apply.9(
// APPLY-NOT: call
// APPLY: ret void
