/*===- getoptions.h - Options of Cilk-5's examples ----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CHAN_GETOPTIONS_H
#define CHAN_GETOPTIONS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What follows an option, and the type of variable that it sets. */
#define INTARG 1    /* a number; int */
#define DOUBLEARG 2 /* a number; double */
#define LONGARG 3   /* a number; long */
#define BOOLARG 4   /* nothing; int: 1 if the option is given, else 0 */
#define STRINGARG 5 /* a word; array of char with room for it */
#define BENCHMARK                                                              \
  6 /* short, medium, long or nothing; int: 1, 2, 3 or 2 in that               \
       order, 0 if the option is not given */

/* Looks in the command line for the options `specifiers`, up to a null pointer,
 * and sets the variables whose addresses follow `types`, in the same order.  A
 * variable whose option is not given keeps its value, if not said otherwise
 * above.  Arguments that belong to no option are complained of on stdout. */
void get_options(int argc, char *argv[], char *specifiers[], int *types, ...);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
