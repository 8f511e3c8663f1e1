// A child and its call stand at the spawn.
//
// RUN: cilk2chan %s --emit=markers -g -O1 -o - | FileCheck %s
// CHECK: define internal void @__cilk_child.0({{.*}} !dbg ![[CHILD:[0-9]+]]
// CHECK: call i32 %{{.*}}, !dbg ![[CALL:[0-9]+]]
// CHECK: call void @__cilk_spawn.0({{.*}}, !dbg ![[MARKER:[0-9]+]]
// CHECK-DAG: ![[CHILD]] = distinct !DISubprogram(name: "__cilk_child.0"{{.*}}line: [[@LINE+7]]
// CHECK-DAG: ![[CALL]] = !DILocation(line: [[@LINE+6]],
// CHECK-DAG: ![[MARKER]] = !DILocation(line: [[@LINE+5]], column: 7

int f(int);
int g(int n) {
  int x, y;
  x = spawn f(n);
  y = f(n);
  sync;
  return x + y;
}
