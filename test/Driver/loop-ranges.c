// Bodies of loops of constant length know which iterations there are: how often
// a loop in them runs is known where it is in the serial elision.
// RUN: cilk2chan -O2 --emit=llvm %s -o - | FileCheck %s --check-prefix=RANGE
// RUN: cilk2chan -O2 -fno-vectorize -S -emit-llvm %s -o - | FileCheck %s

// RANGE: define internal void @__cilk_body.0(i64 range(i64 0, 64) %{{[^,]*}}, i64 range(i64 1, 65) %
// RANGE: define internal void @__cilk_body.1(i64 range(i64 0, 21) %{{[^,]*}}, i64 range(i64 1, 22) %
// RANGE: define internal void @__cilk_body.2(i64 %{{[^,]*}}, i64 %

// CHECK: define {{.*}} @__cilk_body.0(
// CHECK: icmp eq
// CHECK-NOT: icmp slt
// CHECK: {{^}}}

unsigned table[64][16];
void count(const unsigned char *in) {
  cilk_for (int b = 0; b < 64; ++b) {
    unsigned h[16] = {0};
    for (int i = b * 1024; i < (b + 1) * 1024; ++i)
      ++h[in[i] & 15];
    for (int k = 0; k < 16; ++k)
      table[b][k] = h[k];
  }
}
void down(int n, unsigned *out) {
  cilk_for (long b = 62; b >= 0; b -= 3)
    for (int i = 0; i < 1000; ++i)
      out[b] += out[b] * i + 1;
  cilk_for (int b = 0; b < n; ++b)
    for (int i = 0; i < 1000; ++i)
      out[b] += out[b] * i + 1;
}
