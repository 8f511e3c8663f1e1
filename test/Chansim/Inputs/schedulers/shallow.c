/* A scheduler that runs one wavefront after another: of the deepest level that has
 * anything, children first. It needs no counts of what runs. */
#include <chan/scheduler.h>

static uint64_t ready(const chan_array *channel) {
  return channel ? *(volatile const uint64_t *)&channel->control_tail -
                       channel->control_head
                 : 0;
}

static int run_one(chan_machine *machine, uint64_t continuations) {
  for (uint64_t level = machine->level_count; level--;)
    for (uint64_t stack = 0; stack != machine->stack_count; ++stack) {
      chan_array *channel = machine->levels[level]->channels[stack];
      if (machine->stacks[stack].is_continuation != continuations)
        continue;
      uint64_t count = ready(channel);
      if (!count)
        continue;
      if (count > machine->lanes)
        count = machine->lanes;
      chan_wave *wave = chan_new_wave();
      chan_dispatch(machine, level, stack, channel->control_head, count, wave, 0);
      channel->control_head += count;
      while (!chan_finished())
        ;
      return 1;
    }
  return 0;
}

void schedule(chan_machine *machine) {
  while (run_one(machine, 0) || run_one(machine, 1))
    ;
}
