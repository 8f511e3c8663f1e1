// remarks.c - Why what iterations pass does not go by value.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O1 -Rpass=chan-arrays -Rpass-missed=chan-arrays \
// RUN:   -c -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=remark:

// CHECK: remarks.c:[[#@LINE+1]]:{{.*}}remark: the cilk_for divides its iterations, as objects that they pass do not go by value: they have more than 64 bytes, {{.*}} [-Rpass-missed=chan-arrays]
int written(int *p, int n) {
  int v[4];
  *p += n;
  cilk_for (int i = 0; i < 4; i++) {
    int own = *p + i;
    v[i] = written(&own, n - 1);
  }
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+1]]:{{.*}}by value, so it divides its iterations: a loop that does not spawn may be long; -fchan-batch makes batches nevertheless
int slow(const int *p, int n) {
  int v[4], sum = 0;
  cilk_for (int i = 0; i < 4; i++) {
    int own[2] = {p[1] + i, p[0]};
    v[i] = slow(own, n - 1);
  }
  for (int i = 0; i < n; i++)
    sum = sum * 3 ^ i;
  return v[0] + v[3] + sum;
}

// CHECK: remarks.c:[[#@LINE+1]]:{{.*}}remark: activations of 'read' pass arrays by value: parameter 1 (2 times 4 bytes) [-Rpass=chan-arrays]
int read(const int *p, int n) {
  int v[4];
  if (n == 0)
    return p[0] ^ p[1];
  cilk_for (int i = 0; i < 4; i++) {
    int own[2] = {p[1] + i, p[0]};
    v[i] = read(own, n - 1);
  }
  return v[0] * v[3] ^ v[1];
}

struct members {
  char part[20];
  short first;
  double other;
};

// Each member has parts of its own size.
// CHECK: remarks.c:[[#@LINE+1]]:{{.*}}remark: activations of 'mixed' pass arrays by value: parameter 1 (20 times 1 bytes, 1 times 2 bytes, 1 times 8 bytes) [-Rpass=chan-arrays]
double mixed(const struct members *of, int n) {
  if (n == 0)
    return of->part[3] + of->first + of->other;
  struct members own = *of;
  own.part[n % 20]++;
  own.first += n;
  own.other *= 2;
  double a = cilk_spawn mixed(&own, n - 1);
  double b = cilk_spawn mixed(&own, n - 1);
  cilk_sync;
  return a * b;
}

// Members of one size are apart, too; a loop over one that is not the first is
// as short as the object.
struct rows {
  int row, column[7];
};
// CHECK: remarks.c:[[#@LINE+1]]:{{.*}}remark: activations of 'rows' pass arrays by value: parameter 1 (1 times 4 bytes, 7 times 4 bytes) [-Rpass=chan-arrays]
int rows(const struct rows *of) {
  int results[7] = {0};
  if (of->row == 7)
    return 1;
  cilk_for (int i = 0; i < 7; i++) {
    int found = 0;
    for (int k = 0; k < of->row; k++)
      found |= of->column[k] == i;
    if (!found) {
      struct rows own = *of;
      own.column[own.row++] = i;
      results[i] = rows(&own);
    }
  }
  return results[0] - results[1] + results[2] * results[6];
}
