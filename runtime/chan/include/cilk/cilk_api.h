/*===- cilk/cilk_api.h - Workers, as Cilk Plus names them ---------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_CILK_API_H
#define CILK_CILK_API_H

/* The header of Cilk Plus includes this, and programs rely on that. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How many threads run spawned work. It is set by __cilkrts_set_param, else
 * by the environment variable CHAN_WORKERS; else it is one for each
 * processor. */
int __cilkrts_get_nworkers(void);
/* The calling thread's number, below that number of threads. 0 if the
 * thread has neither spawned nor run spawned work. Threads that the program
 * starts may get larger numbers. */
int __cilkrts_get_worker_number(void);

/* A number above those of all threads that have run spawned work until now.
 * At least __cilkrts_get_nworkers(). */
int __cilkrts_get_total_workers(void);
/* Whether the calling thread has spawned, or runs what was spawned (OpenCilk).
 */
int __cilkrts_running_on_workers(void);
/* Whether views of reducers are made for each child, for tests: 0. */
int __cilkrts_get_force_reduce(void);

/* Sets "nworkers" to a number in decimal digits. Possible only until
 * spawned work has got a second thread for the first time, and only from
 * the first thread that has spawned. Returns one of these. */
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
