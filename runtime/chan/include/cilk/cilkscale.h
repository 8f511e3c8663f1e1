/*===- cilk/cilkscale.h - Work and span of a program so far -------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Where -fcilktool=cilkscale compiles, readings are those of the calling
 * thread, in nanoseconds.  Else they are zero, and nothing is printed.
 */
#ifndef CILK_CILKSCALE_H
#define CILK_CILKSCALE_H

#include <stdint.h> /* The header of OpenCilk includes this, and programs
                       rely on that. */

/* Work, span and span with the cost of scheduling. */
typedef struct wsp_t {
  long work, span, bspan;
} wsp_t;

#ifdef __cilkscale__
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
/* Work and span from the beginning until now. */
wsp_t wsp_getworkspan(void);
/* Writes a line that begins with the tag, to where all results go. */
void wsp_dump(wsp_t reading, const char *tag);
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#else
static inline wsp_t wsp_getworkspan(void) {
  wsp_t zero = {0, 0, 0};
  return zero;
}

static inline void wsp_dump(wsp_t reading, const char *tag) {
  (void)reading;
  (void)tag;
}
#endif

static inline wsp_t wsp_add(wsp_t a, wsp_t b) {
  a.work += b.work;
  a.span += b.span;
  a.bspan += b.bspan;
  return a;
}

static inline wsp_t wsp_sub(wsp_t a, wsp_t b) {
  a.work -= b.work;
  a.span -= b.span;
  a.bspan -= b.bspan;
  return a;
}

#endif
