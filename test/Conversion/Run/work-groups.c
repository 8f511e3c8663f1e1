// Loops whose iterations are work-groups on the simulated machine. Each result
// is compared with that of the same loops, run serially on the host.
// RUN: for level in 0 2; do cilk2chan -w -O$level --target=vgiw %s -o %t || exit 1; \
// RUN:   for set in cores=1 cores=3 control.cvt_bits=8192; do CHANSIM_SET=$set %t || exit 1; done; \
// RUN: done
// RUN: cilk2chan -w -O2 %s -o %t.host && %t.host
// All of the functions with "_groups" in their names have work-groups, of the
// sizes that they say, and no other function has.
// RUN: cilk2chan -w -O2 --target=vgiw --emit=mlir %s -o %t.mlir
// RUN: grep -c "chan.stack.* groups of" %t.mlir | FileCheck %s --check-prefix=COUNT
// RUN: FileCheck %s --input-file=%t.mlir
// COUNT: {{^}}14{{$}}
// CHECK-DAG: groups of 64 memory 640(
// CHECK-DAG: groups of 8 memory 128(
// CHECK-DAG: groups of 1 memory 128(

#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 70, row = 256 };
static int in[most * row];
static int out[most * row], expected[most * row];
static int failures;

// A function of the machine's, and the same for the host.
#define BOTH(name, ...)                                                        \
  static void name##_groups(int n, int *out) __VA_ARGS__
#define parallel cilk_for
#include "work-groups.inc"
#undef parallel
#undef BOTH
#define BOTH(name, ...) static void name##_serially(int n, int *out) __VA_ARGS__
#define parallel for
#include "work-groups.inc"

static void compare(const char *name, int n, void (*groups)(int, int *),
                    void (*serially)(int, int *)) {
  memset(out, 0, sizeof out);
  memset(expected, 0, sizeof expected);
  groups(n, out);
  serially(n, expected);
  for (int i = 0; i < most * row; i++)
    if (out[i] != expected[i]) {
      printf("%s of %d groups: out[%d] is %d, not %d\n", name, n, i, out[i],
             expected[i]);
      ++failures;
      return;
    }
}

int main(int argc, char **argv) {
  for (int i = 0; i < most * row; i++)
    in[i] = i * 37 % 101;
#define COMPARE(name)                                                          \
  for (int k = 0; k < 3; k++)                                                  \
    if (argc < 2 || !strcmp(argv[1], #name)) compare(#name, counts[k], name##_groups, name##_serially);
  static const int counts[] = {0, 1, 67};
  COMPARE(turned)
  COMPARE(run_time)
  COMPARE(in_branches)
  COMPARE(halved)
  COMPARE(summed)
  COMPARE(effects)
  COMPARE(objects)
  COMPARE(left_out)
  COMPARE(lengths)
  COMPARE(read_first)
  COMPARE(locked)
  COMPARE(recursive)
  COMPARE(short_loops)
  COMPARE(one_each)
  return failures != 0;
}
