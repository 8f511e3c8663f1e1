/*===- cilk.h - Cilk-5: time and the main procedure ---------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * For programs in the language of Cilk-5 (MIT, 1998): .cilk files begin with
 * it, as they did there; <cilk-lib.cilkh> has the rest.  Valid in C89.
 */
#ifndef CHAN_CILK_H
#define CHAN_CILK_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Nanoseconds since an arbitrary moment before the program began. */
typedef long long Cilk_time;

/* Wall-clock time. Any thread. */
Cilk_time Cilk_get_wall_time(void);
/* The same: work and critical path are not measured. */
Cilk_time Cilk_get_time(void);

/* Seconds. */
double Cilk_wall_time_to_sec(Cilk_time time);
double Cilk_time_to_sec(Cilk_time time);

/* For C that calls procedures: declare, for a procedure
 * `cilk R p(T...)`,
 *   R EXPORT(p)(CilkContext *, T...);
 * and call that between Cilk_init and Cilk_terminate.  It returns when all that
 * it spawned is done; calling the procedure itself does the same. */
#define EXPORT(procedure) mt_##procedure
typedef struct Cilk_context CilkContext;

/* Removes Cilk-5's option `--nproc N` from the arguments and has N workers for
 * it, or ends the program with a message if that cannot be.  Never returns
 * null. */
CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(CilkContext *context);

/* For what a declaration names and nothing uses: `int n UNUSED;`, and
 * `USE_UNUSED(n);` in a statement. */
#ifndef UNUSED
#define UNUSED __attribute__((__unused__))
#endif
#ifndef USE_UNUSED
#define USE_UNUSED(variable) ((void)(variable))
#endif

/* Leaves a text in the object file. */
#define FILE_IDENTITY(name, text)                                              \
  static const char *name __attribute__((__unused__)) = text

/* A program may call its first procedure so. */
#define cilk_main main

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
