/*===- cilk/cilk_api.h - Workers, as Cilk Plus names them ---------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_CILK_API_H
#define CILK_CILK_API_H

#ifdef __cplusplus
extern "C" {
#endif

/* How many threads run what is spawned; the environment variable CHAN_WORKERS
 * says it. */
int __cilkrts_get_nworkers(void);
/* A number below that for the calling thread; 0 if it has spawned nothing and
 * was not spawned on.  Threads of the program's own, beside main's, may get
 * larger ones. */
int __cilkrts_get_worker_number(void);

#ifdef __cplusplus
}
#endif
#endif
