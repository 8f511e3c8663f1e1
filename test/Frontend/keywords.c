// The bare words are words of the language only where nothing else can be
// meant.
//
// RUN: cilk2chan %s --emit=markers -O0 -Werror -Wno-cilk -Wno-unused-value -o - | FileCheck %s
// RUN: cilk2chan -E %s | FileCheck %s --check-prefix=E

#include <sys/types.h>
#include <unistd.h>

#if __cilk != 300
#error __cilk
#endif

#define SPAWN spawn
#define ALSO_SPAWN cilk_spawn
#define CALL(f, ...) spawn f(__VA_ARGS__)
#define WAIT sync

int f(int);
struct sync {
  int sync, spawn, cilk;
};

// CHECK-LABEL: @libc(
// CHECK: call void @sync()
// CHECK-NOT: __cilk
// CHECK: ret void
void libc(void) { sync(); }

// CHECK-LABEL: @members(
// CHECK-NOT: __cilk
// CHECK: ret i32
int members(struct sync *sync) {
  struct sync spawn = {.sync = 1, .spawn = 2};
  sync->sync = spawn.spawn;
  sync->cilk = 3;
  sync;
  return spawn.sync;
}

// CHECK-LABEL: @variables(
// CHECK-NOT: __cilk
// CHECK: ret i32
int variables(int spawn, int (*cilk)(int)) {
  int sync = 1;
  enum { A } __attribute__((unused)) other;
  spawn = (spawn) + cilk (spawn);
  goto sync;
sync:
  return sync;
}

// CHECK-LABEL: @pointer(
// CHECK: call i32 %
// CHECK-NOT: __cilk
// CHECK: ret i32
int pointer(int (*spawn)(int)) { return spawn (3); }

// CHECK-LABEL: @everywhere(
// CHECK-COUNT-6: call void @__cilk_sync()
// CHECK: ret void
// E: do sync; while (n--);
// clang-format off
void everywhere(int n) {
  if (n)
    sync;
  else
    sync;
  do sync; while (n--);
  switch (n) {
  case 1:
    sync;
  label:
    sync;
  }
}

// clang-format on

// CHECK-LABEL: @macros(
// CHECK-COUNT-4: call void @__cilk_spawn
// CHECK: call void @__cilk_sync
// E: x = spawn f(1);
// E: x = cilk_spawn f(2);
// E: spawn f(3);
int macros(void) {
  int x;
  x = SPAWN f(1);
  x = ALSO_SPAWN f(2);
  CALL(f, 3);
  spawn (f)(4);
  WAIT;
  return x;
}

// CHECK: define internal i32 @procedure(
cilk static int procedure(int n);
extern cilk int other(int n);
__attribute__((noinline)) cilk int attributed(int n) { return procedure(n); }
static cilk int procedure(int n) {
  [[clang::nomerge]] spawn f(n);
  sync;
  return n;
}

// CHECK-LABEL: @takes(
// CHECK-NOT: __cilk
// CHECK: ret i32
typedef cilk int procedure_type(int);
int takes(cilk int (*f)(int), procedure_type *g, int cilk) {
  return f(cilk) + g((cilk)) + sizeof(cilk) - (cilk) * cilk;
}
