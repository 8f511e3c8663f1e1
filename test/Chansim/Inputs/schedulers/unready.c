/* Starts a continuation that no kernel has enqueued. */
#include <chan/scheduler.h>

void schedule(chan_machine *machine) {
  chan_dispatch(machine, 0, 0, 0, 1, chan_new_wave(), 0);
  while (!chan_finished())
    ;
  chan_dispatch(machine, 0, 1, 0, 2, chan_new_wave(), 0);
}
