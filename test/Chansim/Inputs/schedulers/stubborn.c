/* Lets a wavefront that has yielded go on at once, again and again, although there is no
 * room, and starts nothing meanwhile that would make room. */
#include "one.h"

void schedule(chan_machine *machine) {
  chan_array *restarts = machine->restarts;
  while (start_one(machine)) {
    chan_wave *wave;
    while (!(wave = chan_finished()))
      if (ready(restarts)) {
        uint64_t position = restarts->control_head++;
        uint32_t offset = restarts->control[position & restarts->control_mask];
        chan_resume(machine, ((chan_restart *)restarts->data)[offset].wave);
      }
    chan_free_wave(wave);
  }
}
