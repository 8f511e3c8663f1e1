// A file's kernels as graph instruction words, and placed on a machine.
// RUN: cilk2chan -O2 --emit=vgiw %s | FileCheck %s
// RUN: cilk2chan -O2 --emit=vgiw %s | cilk2chan-opt --verify-roundtrip -o /dev/null
// RUN: cilk2chan -O2 --emit=config %s -o %t.json && FileCheck %s --check-prefix=CONFIG < %t.json
// RUN: FileCheck %s --check-prefix=REGISTERS < %t.json
// RUN: cilk2chan -O2 --emit=config --machine=%machine %s -o %t.same && cmp %t.same %t.json
// RUN: not cilk2chan --emit=config --machine=%s %s 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not cilk2chan --emit=config --machine=micro15-fermi %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not cilk2chan --emit=config --machine=none.json %s 2>&1 | FileCheck %s --check-prefix=NONE
// Debug information gives the lines.
// RUN: cilk2chan -O2 -g --emit=config %s | FileCheck %s --check-prefix=LINES

// MACHINE: error: {{.*}}emit-machine.c:
// KIND: error: {{.*}}micro15-fermi.json: kind: must be one of vgiw, sgmf for this target, and is "simt"; give a machine of this kind, or another target
// NONE: error: invalid value 'none.json' in '--machine=none.json'; expected a file, or one of: isca14-apu, micro15-fermi, micro15-sgmf, micro15-vgiw

// The helper is inlined: nothing is left to the host.
// CHECK: vgiw.kernel @walk.0 fitted consumes "walk.entry" source "walk"
// CHECK-NOT: vgiw.syscall
// CHECK: vgiw.yield
// CHECK: vgiw.kernel @walk.1 fitted
// CHECK-NOT: vgiw.syscall

// CONFIG: {"format":"cilk2chan-vgiw","version":1,"machine":"micro15-vgiw","fabric":"{{[0-9a-f]+}}"
// CONFIG-SAME: "name":"walk.0"
// REGISTERS: "registers":{{\[\[[1-9]}}
// LINES: "lines":["{{[^"]*}}emit-machine.c:

struct node {
  struct node *left, *right;
  int value;
};

static int weigh(const struct node *tree) { return tree->value * 3 + 1; }

int walk(struct node *tree) {
  if (!tree)
    return 0;
  int left = spawn walk(tree->left);
  int right = spawn walk(tree->right);
  sync;
  return left + right + weigh(tree);
}
