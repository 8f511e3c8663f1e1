/* A scheduler that runs one wavefront after another: of the deepest level that has
 * anything, children first. It needs no counts of what runs. As it never takes a
 * wavefront out of the channel of restarts, it waits for ever if one yields. */
#include "one.h"

void schedule(chan_machine *machine) {
  while (start_one(machine)) {
    chan_wave *wave;
    while (!(wave = chan_finished()))
      ;
    chan_free_wave(wave);
  }
}
