/* Dispatches from a leaf that no channel has. */
#include <chan/scheduler.h>

void schedule(chan_machine *machine) {
  chan_dispatch_leaf(machine, 0, 0, machine->leaf_count, 0, 1, chan_new_wave(),
                     0);
}
