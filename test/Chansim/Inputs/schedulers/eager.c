/* The same, while their children run: it starts all that is ready. */
#include "one.h"

void schedule(chan_machine *machine) {
  for (uint64_t running = 0;;) {
    if (running != machine->contexts &&
        (start_of(machine, 1) || start_of(machine, 0)))
      ++running;
    for (chan_wave *wave; (wave = chan_finished()); --running)
      chan_free_wave(wave);
  }
}
