/* Dispatches the first element twice. */
#include <chan/scheduler.h>

void schedule(chan_machine *machine) {
  for (uint64_t stack = 0; stack != machine->stack_count; ++stack)
    if (machine->levels[0]->channels[stack]) {
      chan_dispatch(machine, 0, stack, 0, 1, chan_new_wave(), 0);
      chan_dispatch(machine, 0, stack, 0, 1, chan_new_wave(), 0);
    }
}
