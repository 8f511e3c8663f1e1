/* A scheduler that starts continuations as soon as they are ready, while their children
 * run or wait: the program would compute something else. */
#include "one.h"

void schedule(chan_machine *machine) {
  while (start_of(machine, 1) || start_of(machine, 0)) {
    chan_wave *wave;
    while (!(wave = chan_finished()))
      ;
    chan_free_wave(wave);
  }
}
