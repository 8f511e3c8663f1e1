// reducer-headers.c - The reducers of Cilk Plus; to other compilers each is the
// variable of the serial elision.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -Wall -Werror -pedantic -std=c11 %s -o %t
// RUN: for workers in 1 2 4; do CHAN_WORKERS=$workers %t | FileCheck --check-prefix=PRINTS %s || exit 1; done
// RUN: cilk2chan -Wall -Werror -fcilk-serialize %s -o %t && %t | FileCheck --check-prefix=PRINTS %s
// RUN: %clang %include -Wall -Werror %s -o %t && %t | FileCheck --check-prefix=PRINTS %s
// PRINTS: 4950 -3 9 9 -2 2 24 1 3

#include <cilk/cilk.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <stdio.h>

CILK_C_REDUCER_MAX(most, int, 0);
typedef CILK_C_REDUCER_OPADD_TYPE(long) sum;
void add(sum *to, int n) { REDUCER_VIEW(*to) += n; }
int main(void) {
  CILK_C_REDUCER_OPADD(total, long, 0);
  CILK_C_REGISTER_REDUCER(total);
  cilk_for (int i = 0; i < 100; i++)
    REDUCER_VIEW(total) += i;
  CILK_C_UNREGISTER_REDUCER(total);
  CILK_C_REDUCER_MIN(least, longlong, 5);
  CILK_C_REDUCER_MAX_INDEX(where, double, 0);
  CILK_C_REDUCER_MIN_INDEX(low, float, 0);
  int values[] = {4, -2, 9, -3};
  cilk_for (int i = 0; i < 4; i++) {
    CILK_C_REDUCER_MIN_CALC(least, values[i]);
    CILK_C_REDUCER_MAX_CALC(most, values[i]);
    CILK_C_REDUCER_MAX_INDEX_CALC(where, i, values[i]);
    if (i < 3)
      CILK_C_REDUCER_MIN_INDEX_CALC(low, i, values[i]);
  }
  CILK_C_REDUCER_OPMUL(product, uint, 1);
  CILK_C_REDUCER_OPAND(all, uchar, 3);
  CILK_C_REDUCER_OPOR(any, ulong, 1);
  CILK_C_REDUCER_OPXOR(odd, short, 0);
  for (int i = 1; i < 5; i++)
    REDUCER_VIEW(product) *= i;
  REDUCER_VIEW(all) &= 9;
  REDUCER_VIEW(any) |= 2;
  REDUCER_VIEW(odd) ^= 3;
  printf("%ld %lld %d %g %g %td %u %d %lu\n", REDUCER_VIEW(total),
         REDUCER_VIEW(least), REDUCER_VIEW(most), REDUCER_VIEW(where).value,
         REDUCER_VIEW(low).value, REDUCER_VIEW(where).index,
         REDUCER_VIEW(product), REDUCER_VIEW(all), REDUCER_VIEW(any));
  return REDUCER_VIEW(odd) != 3;
}
