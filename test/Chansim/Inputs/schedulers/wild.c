/* Stores to where it has no memory. */
#include <chan/scheduler.h>

void schedule(chan_machine *machine) { *(volatile uint64_t *)16 = machine->cores; }
