/* Takes back the room of elements when they are dispatched, before they are done. */
#include "one.h"

void schedule(chan_machine *machine) {
  chan_array *first = machine->levels[0]->channels[0];
  while (start_one(machine)) {
    *(volatile uint64_t *)&first->head = 64;
    *(volatile uint64_t *)&first->tail = 64;
    while (!chan_finished())
      ;
  }
}
