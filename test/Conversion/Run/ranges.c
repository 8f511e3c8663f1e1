// Loops as ranges on the simulated machine: one long range, short and empty
// ranges that share tiles, ranges in recursion, with local arrays and captured
// objects of every size. Each result is compared with that of a serial loop.
// RUN: for level in 0 2; do for set in cores=1 cores=3 control.cvt_bits=4096; do \
// RUN:   cilk2chan -w -O$level --target=vgiw %s -o %t && CHANSIM_SET=$set %t || exit 1; \
// RUN: done; done
// Neighbouring iterations are neighbouring threads, so 32 of them share a line
// of 128 bytes: all but one of 32 accesses hit, or wait for a line on its way.
// RUN: cilk2chan -O2 --target=vgiw -DSTREAM %s -o %t.stream
// RUN: env CHANSIM_STATS=%t.json %t.stream
// RUN: %python %s.py %t.json

#include <stdio.h>
#include <stdlib.h>

#ifdef STREAM
enum { n = 20000 };
static int a[n] __attribute__((aligned(128))), b[n] __attribute__((aligned(128)));
int main(void) {
  cilk_for (int i = 0; i < n; i++)
    b[i] = a[i] + i;
  return b[n - 1] != n - 1;
}
#else
static int failures;
static void check(const char *what, long got, long wanted) {
  if (got != wanted) {
    printf("%s: %ld, not %ld\n", what, got, wanted);
    ++failures;
  }
}

typedef struct {
  long words[5];
  char c;
} object;

/// An iteration has an array of its own.
static void sort(int *out, int n, signed char sign, object o, float f, double d,
                 long double l) {
  cilk_for (int i = 0; i < n; i++) {
    int local[9];
    for (int k = 0; k < 9; k++)
      local[(k * 4 + i) % 9] = i * 9 + k;
    int sum = 0;
    for (int k = 0; k < 9; k++)
      sum = sum * 3 + local[k];
    out[i] = sum + sign + o.words[i % 5] + o.c + (int)f + (int)d + (int)l;
  }
}
static int sorted(int i, signed char sign, object o) {
  int local[9], sum = 0;
  for (int k = 0; k < 9; k++)
    local[(k * 4 + i) % 9] = i * 9 + k;
  for (int k = 0; k < 9; k++)
    sum = sum * 3 + local[k];
  return sum + sign + o.words[i % 5] + o.c + 2 + 3 + 4;
}

/// Rows of lengths 0, 1, 2, ... and of one long range.
static void triangle(int *out, int rows) {
  cilk_for (int r = 0; r < rows; r++) {
    int length = r == 7 ? 3000 : r % 3 ? r : 0;
    int scale = r + 1;
    cilk_for (int i = length; i > 0; i -= 1) {
      int own[3] = {i, r, scale};
      out[r * 3000 + i - 1] = own[i % 3] + scale;
    }
  }
}
static int cell(int r, int i) {
  int own[3] = {i, r, r + 1};
  return own[i % 3] + r + 1;
}

static void halves(long *out, int from, int to) {
  if (to - from > 40) {
    cilk_spawn halves(out, from, (from + to) / 2);
    halves(out, (from + to) / 2, to);
    cilk_sync;
    return;
  }
  cilk_for (int i = from; i < to; i++)
    out[i] = 3L * i;
}

int main(void) {
  enum { n = 2500, rows = 60 };
  int *out = calloc(n, sizeof *out);
  object o = {{1, 20, 300, 4000, 50000}, 6};
  sort(out, n, -3, o, 2.5f, 3.5, 4.5L);
  for (int i = 0; i < n; i++)
    check("sort", out[i], sorted(i, -3, o));
  sort(out, 0, 0, o, 0, 0, 0);

  int *cells = calloc(rows * 3000, sizeof *cells);
  triangle(cells, rows);
  for (int r = 0; r < rows; r++)
    for (int i = 1; i <= 3000; i++) {
      int length = r == 7 ? 3000 : r % 3 ? r : 0;
      check("triangle", cells[r * 3000 + i - 1], i <= length ? cell(r, i) : 0);
    }

  long *thrice = calloc(n, sizeof *thrice);
  halves(thrice, 0, n);
  for (int i = 0; i < n; i++)
    check("halves", thrice[i], 3L * i);
  return failures != 0;
}
#endif
