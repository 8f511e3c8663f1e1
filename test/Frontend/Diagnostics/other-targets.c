// Processors and systems other than the host's: libchan is for two of them.
//
// RUN: for target in riscv64-linux-gnu x86_64-apple-macos x86_64-windows-msvc aarch64-none-elf; do not cilk2chan --target=$target -ffreestanding -c %s -o %t.o 2>&1 | FileCheck %s || exit 1; done
// RUN: test ! -e %t.o
// RUN: cilk2chan --target=riscv64-linux-gnu -ffreestanding -fcilk-serialize -DLARGE -c %s -o %t.o
// RUN: cilk2chan --target=riscv64-linux-gnu -ffreestanding -DORDINARY -c %s -o %t.o
//
// AArch64 passes what is larger than 16 bytes as the address of a copy, which would be gone when the child
// begins; but up to four floating-point numbers in registers.
// RUN: cilk2chan --target=aarch64-linux-gnu -O2 -ffreestanding -c %s -o %t.o
// RUN: not cilk2chan --target=aarch64-linux-gnu -ffreestanding -DLARGE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: cilk2chan -ffreestanding -DLARGE -c %s -o %t.o

struct vector {
  double x[2], y, z;
};
struct large {
  char bytes[17];
};
struct reals {
  float x[5];
};
struct mixed {
  double x, y;
  long z;
};
void take(struct vector v);
void take_large(struct large v);
void take_reals(struct reals v);
void take_mixed(struct mixed v);
void take_any(int n, ...);

#ifndef ORDINARY
// CHECK: [[@LINE+2]]:6: error: a function cannot spawn or sync on '{{.*}}': the runtime is for Linux on x86-64 and AArch64
// CHECK: [[@LINE+1]]:6: note: add '-fcilk-serialize' to compile the serial elision
void g(struct vector v) {
  cilk_spawn take(v);
  take_any(1);
  cilk_sync;
}

#ifdef LARGE
void h(struct large a, struct reals b, struct mixed c) {
  // LARGE: [[@LINE+2]]:25: error: a spawn cannot pass a value of type 'struct large' on 'aarch64{{.*}}': it is larger than 16 bytes
  // LARGE: [[@LINE+1]]:25: note: pass the address of a variable that stays as it is until the sync
  cilk_spawn take_large(a);
  // LARGE: [[@LINE+1]]:25: error: a spawn cannot pass a value of type 'struct reals'
  cilk_spawn take_reals(b);
  // LARGE: [[@LINE+1]]:25: error: a spawn cannot pass a value of type 'struct mixed'
  cilk_spawn take_mixed(c);
  // LARGE: [[@LINE+1]]:26: error: a spawn cannot pass a value of type 'struct large'
  cilk_spawn take_any(1, a);
  // LARGE-NOT: error:
  take_large(a);
  cilk_sync;
}
#endif
#endif
