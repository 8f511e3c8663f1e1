/* name.c - Part of cilk2chan, under the Apache License v2.0 with LLVM
 * Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
const char *sync_name(void) {
  const char *spawn = "C", *sync = spawn;
  return sync;
}
