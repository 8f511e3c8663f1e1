// A machine without a call stack: recursion in what a kernel calls becomes kernels, and so does what lies between.
// RUN: cilk2chan -O2 --emit=vgiw %s | FileCheck %s
// RUN: cilk2chan -O2 --emit=vgiw %s | FileCheck %s --check-prefix=HOST
// On the host it stays as it is.
// RUN: cilk2chan -O2 --emit=mlir %s | FileCheck %s --check-prefix=STACK

// CHECK-DAG: vgiw.kernel @walk.0 {{.*}} source "walk"
// CHECK-DAG: vgiw.kernel @twice.0 {{.*}} source "twice"
// CHECK-DAG: vgiw.kernel @sum.0 {{.*}} source "sum"
// CHECK-DAG: vgiw.kernel @sum.1 {{.*}} source "sum"
// STACK-NOT: chan.kernel @sum
// STACK-NOT: chan.kernel @twice

// Only what no kernel leads to, and what cannot be split, is the host's.
// HOST-NOT: vgiw.kernel @main
// HOST-NOT: vgiw.kernel @count
// HOST: vgiw.syscall "__vgiw_thunk.
// HOST-NOT: vgiw.syscall
// HOST-NOT: vgiw.kernel @main
// HOST-NOT: vgiw.kernel @count

struct tree {
  struct tree *left, *right;
  int value;
};

static int sum(struct tree *tree) {
  return tree ? tree->value + sum(tree->left) + sum(tree->right) : 0;
}

static int twice(struct tree *tree) { return 2 * sum(tree); }

static int count(int n, ...) { return n ? 1 + count(n / 2, 1) + count(n / 3, 2) : 0; }

int walk(struct tree *tree, int depth) {
  if (depth == 0)
    return twice(tree);
  int left = spawn walk(tree->left, depth - 1);
  int right = spawn walk(tree->right, depth - 1);
  sync;
  return left + right + count(depth, 0);
}

int main(void) {
  struct tree leaf = {0, 0, 1};
  return walk(&leaf, 0) + sum(&leaf) - 3;
}
