// packed-results.c - Structs in an array keep the words they are returned in.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O3 -Werror -fno-chan-batch --emit=llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O3 -Werror -fno-chan-batch --emit=llvm -DFIELD=float %s -o - \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// RUN: cilk2chan -O3 -Werror -fno-chan-batch --emit=llvm -DFIELD=long %s -o - \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// RUN: cilk2chan -O3 -fno-chan-batch %s -DMAIN -o %t
// RUN: env CHAN_WORKERS=1 %t
// RUN: env CHAN_WORKERS=4 %t
// RUN: cilk2chan -O3 -fno-chan-batch %s -DMAIN -DFIELD=short -o %t
// RUN: env CHAN_WORKERS=4 %t
// RUN: cilk2chan -O3 -fno-chan-batch %s -DMAIN -DFIELD=char -o %t
// RUN: env CHAN_WORKERS=4 %t

#include <cilk/cilk.h>
#include <stdlib.h>

#ifndef FIELD
#define FIELD int
#endif

struct node {
  struct node *child[8];
  int mass;
};
struct range {
  long mass;
  FIELD least, most;
};

// What the slow path takes over of the array is words, of two fields each.
// CHECK: define internal {{.*}} @walk.serial(
// CHECK: call void @llvm.lifetime.start.p0(ptr %[[ARRAY:[0-9]+]])
// CHECK: %[[WORD:[0-9]+]] = getelementptr {{.*}}ptr %[[ARRAY]], i32 8
// CHECK-NEXT: load i64, ptr %[[WORD]]
// CHECK-NOT: @llvm.memcpy
// CHECK: {{^}}}
// WHOLE: define internal {{.*}} @walk.serial(
// WHOLE-NOT: @llvm.lifetime
// WHOLE: @llvm.memcpy
struct range walk(const struct node *tree) {
  struct range results[8];
  struct range all = {tree->mass, tree->mass % 100, tree->mass % 100};
  for (int i = 0; i < 8; i++) {
    if (tree->child[i])
      results[i] = cilk_spawn walk(tree->child[i]);
    else
      results[i] = (struct range){0, 100, -1};
  }
  cilk_sync;
  for (int i = 0; i < 8; i++) {
    all.mass += results[i].mass;
    if (results[i].least < all.least)
      all.least = results[i].least;
    if (results[i].most > all.most)
      all.most = results[i].most;
  }
  return all;
}

#ifdef MAIN
int main(void) {
  enum { count = 20000 };
  struct node *nodes = calloc(count, sizeof *nodes);
  struct range right = {0, 100, -1};
  for (int i = 0; i < count; i++) {
    int mass = nodes[i].mass = (i * 37 + 1100) % 5000;
    right.mass += mass;
    right.least = mass % 100 < right.least ? mass % 100 : right.least;
    right.most = mass % 100 > right.most ? mass % 100 : right.most;
    if (i)
      nodes[(i - 1) / 5].child[(i - 1) % 5 + 2] = &nodes[i];
  }
  struct range all = walk(nodes);
  return all.mass != right.mass || all.least != right.least ||
         all.most != right.most;
}
#endif
