//===- Engine.cpp - Clocks and components ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Engine.h"

namespace chansim {

Engine::Engine(const Machine &machine)
    : clocks(machine.clocks), cores(clock(machine.clockOf.cores)),
      patience(cores.ticks(machine.watchdogCycles)),
      watchdogCycles(machine.watchdogCycles) {}

void Engine::add(Component &component, Clock clock) {
  component.clock = clock;
  component.next = kNever;
  component.order = static_cast<int>(components.size());
  components.push_back(&component);
}

void Engine::step() {
  Tick next = kNever;
  for (const Component *component : components)
    next = component->next < next ? component->next : next;
  if (next == kNever)
    stall("nothing is left that could move");
  if (next > lastMove + patience)
    stall("nothing has moved for " + std::to_string(watchdogCycles) +
          " core cycles");
  time = next;
  if (time >= observeAt) [[unlikely]] {
    observer->observe();
    observeAt = time + observeInterval;
  }
  for (turn = 0; turn != static_cast<int>(components.size()); ++turn) {
    Component *component = components[static_cast<size_t>(turn)];
    if (component->next != time)
      continue;
    component->next = kNever;
    Activity activity = component->tick();
    if (activity == Activity::asleep)
      continue;
    component->next = time + component->clock.period();
    if (activity == Activity::moved)
      lastMove = time > lastMove ? time : lastMove;
  }
}

std::string Engine::explain() const {
  std::string text;
  for (const Component *component : components)
    component->explain(text);
  return text;
}

void Engine::stall(const std::string &why) const {
  std::string waiting = explain();
  if (waiting.empty())
    waiting = "  no component waits for anything, and the run is not done\n";
  throw Stalled("the simulated machine stalled in core cycle " +
                std::to_string(coreCycle()) + ": " + why + "\n" + waiting);
}

} // namespace chansim
