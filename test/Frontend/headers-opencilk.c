// The headers that programs of OpenCilk and Cilk Plus include besides
// <cilk/cilk.h>, with what they count on from those.
//
// RUN: cilk2chan %s --emit=markers -Wall -Werror -o - | FileCheck %s
// RUN: cilk2chan %s --emit=markers -DSERIAL -Wall -Werror -o - | FileCheck --check-prefix=SERIAL %s
// RUN: cilk2chan %s -o %t && %t | FileCheck --check-prefix=PRINTS %s
// RUN: %clang %include -Werror %s %build/lib/libchan.a -lpthread -o %t && %t | FileCheck --check-prefix=PRINTS %s
// CHECK: call void @__cilk_spawn.0
// CHECK: call void @__cilk_sync
// SERIAL-NOT: __cilk_sp
// SERIAL-NOT: __cilk_sync
// PRINTS: 3 0

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/cilkscale.h>
#include <cilk/reducer.h>
#ifdef SERIAL
#include <cilk/cilk_stub.h>
#endif

static int f(int n) { return n; }

int main(void) {
  if (__cilkrts_get_worker_number() >= __cilkrts_get_nworkers())
    return 1;
  wsp_t begin = wsp_getworkspan();
  int x = cilk_spawn f(1), y = f(2);
  cilk_sync;
  wsp_t elapsed = wsp_sub(wsp_add(wsp_getworkspan(), begin), begin);
  wsp_dump(elapsed, "main");
  assert(x <= INT32_MAX && offsetof(wsp_t, work) == 0);
  // A reducer is a variable to other compilers.
#ifndef __cilk
  static CILK_C_DECLARE_REDUCER(int) sum = CILK_C_INIT_REDUCER(int, 0, 0, 0, 1);
  REDUCER_VIEW(sum) += 2;
  x = REDUCER_VIEW(sum) - 2;
#endif
  printf("%d %ld\n", x + y, elapsed.work + elapsed.span + elapsed.bspan);
  return 0;
}
