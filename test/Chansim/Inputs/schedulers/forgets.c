/* Returns when nothing is ready to be dispatched, although a wavefront has yielded. */
#include "one.h"

void schedule(chan_machine *machine) {
  while (start_one(machine)) {
    chan_wave *wave = 0;
    while (!(wave = chan_finished()) && !ready(machine->restarts))
      ;
    if (wave)
      chan_free_wave(wave);
    else
      return;
  }
}
