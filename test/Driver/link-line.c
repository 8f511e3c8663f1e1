// link-line.c - What the driver adds to clang's link line.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -### %s 2>&1 | FileCheck %s
// RUN: cilk2chan -### -fsanitize=address %s 2>&1 | FileCheck --check-prefix=ASAN %s
// RUN: cilk2chan -### -fsanitize=thread %s 2>&1 | FileCheck --check-prefix=TSAN %s
// RUN: cilk2chan -### -fsanitize=undefined %s 2>&1 | FileCheck %s
// RUN: cilk2chan -### -nostdlib %s 2>&1 | FileCheck --check-prefix=BARE %s
// RUN: cilk2chan -### -r %s 2>&1 | FileCheck --check-prefix=BARE %s
// RUN: cilk2chan -### -shared-libchan %s 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: cilk2chan -### -shared-libchan -static-libchan %s 2>&1 | FileCheck %s
// RUN: not cilk2chan -fsanitize=thread -shared-libchan %s 2>&1 | FileCheck --check-prefix=SANITIZER %s
// RUN: cilk2chan -### -fuse-ld=bfd %s 2>&1 | FileCheck --check-prefix=BFD %s
// CHECK: ld.lld"
// CHECK-SAME: "{{[^"]*}}libchan.a" {{.*}}"-lpthread" {{.*}}"-lgcc"
// ASAN: libchan-asan.a" {{.*}}"-lpthread" {{.*}}"-lgcc"
// TSAN: libchan-tsan.a" {{.*}}"-lpthread" {{.*}}"-lgcc"
// SHARED: "--as-needed" "{{[^"]*}}libchan.so" {{.*}}"-lpthread"
// SANITIZER: cilk2chan: error: '-shared-libchan' cannot be used with a sanitizer; the runtimes for those are static
// BARE-NOT: libchan
// BFD: ld.bfd"
// BFD-SAME: libchan.a"

int main(void) { return 0; }
