// The markers that docs/architecture/FrontEnd.md describes.
//
// RUN: cilk2chan %s --emit=markers -O0 -Wno-cilk -o - | FileCheck %s
// RUN: cilk2chan %s --emit=markers -O2 -Wno-cilk -o - | FileCheck %s
// RUN: cilk2chan %s --emit=markers -O2 -Wno-cilk -o - | FileCheck %s --check-prefix=NOT

// Nothing keeps the children from being removed once they are used up, and
// there is nothing that would hinder the split.
// NOT-NOT: llvm.used
// NOT-NOT: llvm.compiler.used
// NOT-NOT: optnone
// NOT-NOT: llvm.lifetime

typedef struct {
  long a, b, c;
} Big;
struct Bits {
  long long other;
  unsigned a : 3, b : 7;
};

static int f(int n) { return n; }
Big big(Big b, char c);
void none(void);
extern long double wide(void);

// A plain result: the address, the callee, the arguments.
// CHECK-LABEL: define {{.*}}@plain(
// CHECK: store i32 %{{.*}}, ptr %[[N:[^,]+]]
// CHECK: call void @__cilk_spawn.0(ptr noundef %{{.*}}, ptr noundef @f, i32 noundef %{{.*}})
// CHECK-NEXT: call void @__cilk_sync()
// CHECK-NEXT: load
// CHECK: ret i32
// CHECK: declare void @__cilk_spawn.0(ptr noundef, ptr noundef, i32 noundef)
int plain(int n) {
  int x = spawn f(n);
  return x;
}

// A discarded result: no address.
// CHECK-LABEL: define {{.*}}@discarded(
// CHECK: call void @__cilk_spawn.1(ptr noundef @none)
// CHECK-NEXT: call void @__cilk_sync()
// CHECK-NEXT: ret void
void discarded(void) { spawn none(); }

// A struct by value and in return: the parameters are lowered as for the call.
// CHECK-LABEL: define internal void @__cilk_child.2(ptr noundef %0, ptr noundef %1, ptr noundef byval(%struct.Big) align 8 %2, i8 noundef signext %3)
// CHECK: %[[RESULT:.*]] = alloca %struct.Big
// CHECK: call void %{{.*}}(ptr {{.*}}sret(%struct.Big) align 8 %[[RESULT]], ptr noundef byval(%struct.Big) align 8 %{{.*}}, i8 noundef signext %{{.*}})
// CHECK: call void @llvm.memcpy
// CHECK: ret void
// CHECK-LABEL: define {{.*}}@byValue(
// CHECK: call void @__cilk_spawn.2(ptr noundef %{{.*}}, ptr noundef @big, ptr noundef byval(%struct.Big) align 8 %{{.*}}, i8 noundef signext %{{.*}})
void byValue(Big *b, char c) { *b = spawn big(*b, c); }

// A bit-field: the address of what contains it.
// CHECK-LABEL: define internal void @__cilk_child.3(
// CHECK: %[[VALUE:.*]] = call i32
// CHECK: %[[FIELD:.*]] = getelementptr inbounds nuw %struct.Bits
// CHECK: load i16, ptr %[[FIELD]]
// CHECK: store i16 %{{.*}}, ptr %[[FIELD]]
// CHECK-LABEL: define {{.*}}@bitField(
// CHECK: %[[CONTAINER:.*]] = load ptr
// CHECK: call void @__cilk_spawn.3(ptr noundef %[[CONTAINER]], ptr noundef @f, i32 noundef 1)
void bitField(struct Bits *bits) { bits->b = spawn f(1); }

// A compound assignment with a conversion: all of it is the child's.
// CHECK-LABEL: define internal void @__cilk_child.4(
// CHECK: %[[VALUE:.*]] = call i32
// CHECK: sitofp i32 %[[VALUE]] to double
// CHECK: load double
// CHECK: fadd double
// CHECK: store double
// CHECK-LABEL: define {{.*}}@compound(
// CHECK-NOT: fadd
// CHECK: call void @__cilk_spawn.4(
void compound(double *d) { *d += spawn f(1); }

// An indirect callee is evaluated in the parent.
// CHECK-LABEL: define {{.*}}@indirect(
// CHECK: getelementptr inbounds ptr, ptr %{{.*}}, i64 3
// CHECK: %[[CALLEE:.*]] = load ptr
// CHECK: call void @__cilk_spawn.5(ptr noundef %[[CALLEE]], i32 noundef 1)
void indirect(int (**table)(int)) { spawn table[3](1); }

// A returned spawn has a variable of its own, read after the sync.
// CHECK-LABEL: define {{.*}}@returned(
// CHECK: call void @__cilk_spawn.6(ptr noundef %[[TEMPORARY:.*]], ptr noundef @wide)
// CHECK-NEXT: call void @__cilk_sync()
// CHECK-NEXT: load x86_fp80, ptr %[[TEMPORARY]]
long double returned(void) { return spawn wide(); }

// A conditional spawn is a branch; the other arm assigns in the parent.
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK: br i1
// CHECK: call void @__cilk_spawn.7(
// CHECK: br label
// CHECK: store i32 7, ptr
// CHECK: br label
void conditional(int n, int *x) { *x = n ? spawn f(n) : 7; }

// Each return is behind a sync, its value too.
// CHECK-LABEL: define {{.*}}@returns(
// CHECK-NOT: load volatile
// CHECK: call void @__cilk_sync()
// CHECK: load volatile i32
// CHECK: call void @__cilk_spawn.8(
// CHECK-NOT: load volatile
// CHECK: call void @__cilk_sync()
// CHECK: load volatile i32
int returns(int n, volatile int *x) {
  if (n < 2)
    return *x;
  *x = spawn f(n);
  return *x;
}

// What is not compiled has no children either.
// CHECK-NOT: __cilk_child.9
static void unused(void) { spawn none(); }
