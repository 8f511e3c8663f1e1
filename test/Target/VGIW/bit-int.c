// Arithmetic of C's own odd widths, of which the machine took maxima for zero.
// RUN: cilk2chan -O1 --target=vgiw %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -O2 --target=vgiw %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -O2 -fcilk-serialize %s -o %t && %t | FileCheck %s
// CHECK: 2218a82c
// CHECK-NEXT: 227cc564
// CHECK-NEXT: 28a51956

#include <stdio.h>
typedef unsigned _BitInt(5) u5;
typedef _BitInt(6) s6;
static unsigned f(unsigned seed, int depth) {
  if (depth == 0) {
    u5 a = (u5)seed, b = (u5)(seed >> 5) | 1;
    s6 c = (s6)(seed >> 3), d = (s6)(seed >> 9);
    if (d == 0 || d == -1)
      d = 3;
    u5 sum = a + b, times = a * b, left = a << (b & 3), right = a >> (b & 3);
    unsigned all = sum + 3u * times + 5u * left + 7u * right;
    all = all * 31 + (unsigned)(a / b) + (unsigned)(a % b) * 3;
    all = all * 31 + (unsigned)(int)(c / d) + (unsigned)(int)(c % d) * 3;
    all = all * 31 + (unsigned)(int)(s6)(c >> 2) + (c < d) * 3 + (a < b) * 5;
    s6 best = c > d ? c : d;
    u5 most = a > b ? a : b;
    for (u5 i = 0; i < (a & 7); i++) {
      most ^= most * 3 + i;
      best = best > 0 ? best - (s6)1 : best;
    }
    return all ^ (unsigned)(int)best ^ (unsigned)most << 8;
  }
  unsigned x = cilk_spawn f(seed * 5 + 1, depth - 1);
  unsigned y = cilk_spawn f(seed * 7 + 3, depth - 1);
  cilk_sync;
  return x * 3 + y;
}
int main(void) {
  for (int i = 0; i < 3; i++)
    printf("%08x\n", f(i, 5));
  return 0;
}
