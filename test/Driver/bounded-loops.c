// Loops of leaves are known to be short where what leads to leaves bounds them:
// to 64 iterations.
// RUN: cilk2chan -O2 -mavx512f --emit=mlir %s | FileCheck %s
// RUN: cilk2chan -O2 -mavx512f -Rpass-missed=chan-batch -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LONG %s
// CHECK: chan.kernel @between.batch.0
// LONG-NOT: has no batch form
// LONG: 'often' has no batch form: it has a loop that does not spawn and may be long
// LONG: 'inclusive' has no batch form: it has a loop that does not spawn and may be long
// LONG: 'either' has no batch form: it has a loop that does not spawn and may be long
// LONG: 'unknown' has no batch form: it has a loop that does not spawn and may be long
// LONG: 'other' has no batch form: it has a loop that does not spawn and may be long
// LONG: 'square' has no batch form: it has a loop that does not spawn and may be long

#define TREE(name, guard, loop)                                                \
  unsigned name(int lo, int hi) {                                              \
    if (guard) {                                                               \
      unsigned s = 1;                                                          \
      loop s = s * 33 + (i ^ lo);                                              \
      return s;                                                                \
    }                                                                          \
    int middle = lo + (hi - lo) / 2;                                           \
    unsigned a = cilk_spawn name(lo, middle);                                  \
    unsigned b = cilk_spawn name(middle, hi);                                  \
    cilk_sync;                                                                 \
    return a * 7 + b;                                                          \
  }

TREE(from0, hi <= 64, for (int i = 0; i < hi; ++i))
TREE(from1, hi < 65 && lo != 3, for (int i = 1; i <= hi; ++i))
TREE(between, hi - lo <= 10, for (int i = lo; i != hi; ++i))
TREE(apart, !(lo + 64 < hi), for (long i = lo; i < hi; ++i))
TREE(down, hi - lo < 9, for (int i = hi - 1; i >= lo; --i))
TREE(steps, hi - lo <= 256, for (int i = lo; i < hi; i += 4))
TREE(sides, lo >= 5 && hi <= 20, for (int i = lo - 2; i < hi + 2; ++i))
TREE(later, hi <= 50, if (lo < 3) return 1; for (int i = 0; i < hi; ++i))
TREE(triangle, hi <= 8, for (int i = 0; i < hi; ++i)
                          for (int j = i + 1; j < hi; ++j))
TREE(equal, hi == 12, for (int i = 0; i < hi; ++i))

TREE(often, hi <= 65, for (int i = 0; i < hi; ++i))
TREE(inclusive, hi <= 64, for (int i = 0; i <= hi; ++i))
TREE(either, hi <= 8 || lo == 3, for (int i = 0; i < hi; ++i))
TREE(unknown, hi <= 8, for (int i = lo; i < hi; ++i))
TREE(other, lo <= 8, for (int i = 0; i < hi; ++i))
TREE(square, hi <= 9, for (int i = 0; i < hi; ++i)
                        for (int j = 0; j < hi; ++j))
