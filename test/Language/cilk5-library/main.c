//===- main.c - C that calls procedures of Cilk-5 -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ELISION: no
// ARGS: before --nproc 2 after --nproc

#include "../../Support/check.h"
#include "exports.h"
#include <cilk/cilk_api.h>
#include <string.h>

int main(int argc, char **argv) {
  CilkContext *context = Cilk_init(&argc, argv);
  CHECK(context);
  CHECK_EQUAL(argc, 4);
  CHECK(!strcmp(argv[1], "before") && !strcmp(argv[2], "after"));
  CHECK(!strcmp(argv[3], "--nproc") && !argv[4]);
  CHECK_EQUAL(__cilkrts_get_nworkers(), 2);

  long stored = 0;
  CHECK_EQUAL(EXPORT(fib)(context, 15), 610);
  struct pair p = EXPORT(halves)(context, (struct pair){10, 20}, 0.5f);
  CHECK_EQUAL(p.a, 55);
  CHECK_EQUAL(p.b, 55);
  EXPORT(store)(context, &stored, 12);
  CHECK_EQUAL(stored, 144);
  CHECK_EQUAL(fromHere(context, 3), 2);
  Cilk_terminate(context);
  printf("%ld\n", stored);
  return 0;
}
