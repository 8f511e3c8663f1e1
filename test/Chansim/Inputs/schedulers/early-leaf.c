/* Runs the first element, and then its continuation, which is in leaf 0. */
#include <chan/scheduler.h>

void schedule(chan_machine *machine) {
  for (uint64_t stack = 0; stack != 2; ++stack) {
    chan_dispatch_leaf(machine, 0, stack, 0, 0, 1, chan_new_wave(), 0);
    while (!chan_finished())
      ;
  }
}
