/* Starts one wavefront, of the deepest level that has elements ready, children first; null
 * if nothing is ready. For the schedulers of these tests. */
#include <chan/scheduler.h>

static uint64_t ready(const chan_array *channel) {
  return channel ? *(volatile const uint64_t *)&channel->control_tail -
                       channel->control_head
                 : 0;
}

static chan_wave *start_of(chan_machine *machine, uint64_t continuations) {
  for (uint64_t level = machine->level_count; level--;)
    for (uint64_t stack = 0; stack != machine->stack_count; ++stack) {
      chan_array *channel = machine->levels[level]->channels[stack];
      uint64_t count = ready(channel);
      if (machine->stacks[stack].is_continuation != continuations || !count)
        continue;
      if (count > machine->lanes)
        count = machine->lanes;
      chan_wave *wave = chan_new_wave();
      chan_dispatch(machine, level, stack, channel->control_head, count, wave, 0);
      channel->control_head += count;
      return wave;
    }
  return 0;
}

static inline chan_wave *start_one(chan_machine *machine) {
  chan_wave *wave = start_of(machine, 0);
  return wave ? wave : start_of(machine, 1);
}
