/* Runs the first element, moves its continuation from leaf 0 to the channel's own control
 * array, and starts it there. */
#include <chan/scheduler.h>

void schedule(chan_machine *machine) {
  chan_dispatch_leaf(machine, 0, 0, 0, 0, 1, chan_new_wave(), 0);
  while (!chan_finished())
    ;
  chan_array *channel = machine->levels[0]->channels[1];
  channel->control[0] = CHAN_SHARED(channel->leaves[0]->control[0]);
  channel->leaves[0]->control_head = 1;
  CHAN_SHARED(channel->control_tail) = 1;
  chan_dispatch(machine, 0, 1, 0, 1, chan_new_wave(), 0);
  while (!chan_finished())
    ;
}
