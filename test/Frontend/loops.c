// The markers of parallel loops and scopes (docs/architecture/FrontEnd.md).
//
// RUN: cilk2chan %s --emit=markers -O0 | FileCheck %s
// RUN: cilk2chan %s --emit=markers -O2 | FileCheck %s
// RUN: cilk2chan %s --emit=markers -fcilk-serialize | FileCheck %s --check-prefix=SERIAL --implicit-check-not=__cilk

int f(int);

// CHECK-LABEL: define {{.*}}@loop(
// CHECK: call void @__cilk_for.0(ptr noundef %[[I:[^,]+]], i64 noundef %{{.*}}, i64 noundef %{{.*}}, i64 noundef 1, i32 noundef {{[0-9]+}}, i64 noundef 0, ptr noundef @.str{{[.0-9]*}})
// CHECK-NEXT: %[[K:.*]] = call i64 @__cilk_range_begin()
// CHECK: store i32 %{{.*}}, ptr %[[I]]
// CHECK: %[[END:.*]] = call i64 @__cilk_range_end()
// CHECK: icmp ne i64 %{{.*}}, %[[END]]
// CHECK: call void @__cilk_sync()
// CHECK: br label %{{.*}}, !llvm.loop
// CHECK: call i64 @__cilk_for_end.0()
// SERIAL-LABEL: define {{.*}}@loop(
void loop(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = i;
}

// The grain is evaluated first, a constant one not at all.
// CHECK-LABEL: define {{.*}}@grains(
// CHECK: %[[G:.*]] = call i32 @f(i32 noundef 1)
// CHECK: call i32 @f(i32 noundef 2)
// CHECK: call void @__cilk_for.1(
// CHECK: call void @__cilk_for.2({{.*}}, i64 noundef 12, ptr
// SERIAL-LABEL: define {{.*}}@grains(
// SERIAL: call i32 @f(i32 noundef 1)
// SERIAL: call i32 @f(i32 noundef 2)
void grains(int n, int *p) {
#pragma cilk grainsize = f(1)
  cilk_for (int i = f(2); i < n; i++)
    p[i] = i;
#pragma cilk grainsize 3 * 4
  cilk_for (int i = 0; i < n; i++)
    p[i] = i;
}

// A sync at the end of a scope, and where it is left.
// CHECK-LABEL: define {{.*}}@scope(
// CHECK: call void @__cilk_spawn.
// CHECK: switch
// CHECK-COUNT-5: call void @__cilk_sync()
// CHECK-NOT: call void @__cilk_sync()
// CHECK: ret
int scope(int n) {
  int x = 0;
  for (;;) {
    cilk_scope {
      x = cilk_spawn f(n);
      switch (n) {
      case 1:
        goto out;
      case 2:
        continue;
      case 3:
        break; // stays in the scope
      case 4:
        return 5;
      }
    }
  }
out:
  return x;
}
