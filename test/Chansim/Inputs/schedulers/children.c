/* Starts children only, and returns when none is ready: the continuations of all levels are
 * left. */
#include "one.h"

void schedule(chan_machine *machine) {
  while (start_of(machine, 0)) {
    chan_wave *wave;
    while (!(wave = chan_finished()))
      ;
    chan_free_wave(wave);
  }
}
