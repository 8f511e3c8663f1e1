/*===- cilk/cilk_api.h - Workers, as Cilk Plus names them ---------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_CILK_API_H
#define CILK_CILK_API_H

/* Cilk Plus's has them, and programs count on that. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How many threads run what is spawned: what __cilkrts_set_param says, else the
 * environment variable CHAN_WORKERS, else one for each processor. */
int __cilkrts_get_nworkers(void);
/* A number below that for the calling thread; 0 if it has spawned nothing and
 * was not spawned on.  Threads of the program's own, beside main's, may get
 * larger ones. */
int __cilkrts_get_worker_number(void);

/* A number above those of all threads until now that run what is spawned; at
 * least __cilkrts_get_nworkers(). */
int __cilkrts_get_total_workers(void);
/* Whether the calling thread has spawned, or runs what was spawned (OpenCilk).
 */
int __cilkrts_running_on_workers(void);
/* Whether views of reducers are made for each child, for tests: 0. */
int __cilkrts_get_force_reduce(void);

/* Sets "nworkers" to a number in decimal digits.  Possible until what is
 * spawned has got a second thread for the first time, and from the first thread
 * that has spawned; returns one of these. */
int __cilkrts_set_param(const char *name, const char *value);
#define __CILKRTS_SET_PARAM_SUCCESS 0
#define __CILKRTS_SET_PARAM_UNIMP 1   /* no such parameter */
#define __CILKRTS_SET_PARAM_XRANGE 2  /* no such number of workers */
#define __CILKRTS_SET_PARAM_INVALID 3 /* a null pointer */
#define __CILKRTS_SET_PARAM_LATE 4    /* the workers are there */

/* There is nothing to do at the beginning and the end: threads start when there
 * is work for them, sleep when there is none, and end with the program. */
void __cilkrts_init(void);
void __cilkrts_end_cilk(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
