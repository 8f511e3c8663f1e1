/*===- shared-batches.c - What workers take of each other's batches -------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// A worker that wants work gets large pieces.  If it got small ones, it would be
// back at once, again and again, and cut all batches to pieces: two workers ran
// up to twenty times as many, in one run of three.
//
// RUN: rm -f %t.*
// RUN: cilk2chan -O3 %s -o %t
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.alone %t
// RUN: for i in 1 2 3 4 5 6 7 8 9 10 11 12; do \
// RUN:   CHAN_WORKERS=2 CHAN_STATS=%t.$i %t || exit 1; done
// RUN: awk '$2 == "batch" && $3 == "all" { calls[FILENAME] = $5 } \
// RUN:   END { for (name in calls) if (calls[name] > 3 * calls["%t.alone"] / 2) bad = 1; \
// RUN:         exit bad || length(calls) != 13 }' %t.alone %t.[1-9]*

static int place(unsigned all, unsigned columns, unsigned rising,
                 unsigned falling) {
  if (columns == all)
    return 1;
  int solutions = 0;
  unsigned open = all & ~(columns | rising | falling);
  while (open) {
    unsigned queen = open & -open;
    open ^= queen;
    solutions += cilk_spawn place(all, columns | queen, (rising | queen) << 1,
                                  (falling | queen) >> 1);
  }
  cilk_sync;
  return solutions;
}

int main(void) { return place((1u << 14) - 1, 0, 0, 0) != 365596; }
