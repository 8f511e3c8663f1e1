//===- Engine.h - Clocks and components -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is counted in ticks, of which each clock's period is a whole number
// (Clocks.h).  A component is ticked at the edges of its clock, in the order in which components were added, as long as
// it is awake; time leaps to the next edge at which one is.  There is no queue
// of events: a component that expects something keeps it itself and asks for
// the tick by wakeAt().
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ENGINE_H
#define CHANSIM_ENGINE_H

#include "machine/Machine.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

inline constexpr Tick kNever = ~Tick(0);

/// A clock of the machine.  Its first edge is at tick 0.
class Clock {
public:
  explicit Clock(Tick period) : ownPeriod(period) {}

  /// Ticks of a cycle, and of several.
  Tick period() const { return ownPeriod; }
  Tick ticks(uint64_t cycles) const { return cycles * ownPeriod; }
  /// Whole cycles up to a time.
  uint64_t cycle(Tick time) const { return time / ownPeriod; }
  /// The first edge at or after a time.
  Tick edge(Tick time) const {
    return (time + ownPeriod - 1) / ownPeriod * ownPeriod;
  }

private:
  Tick ownPeriod;
};

/// What a tick came to.
enum class Activity : uint8_t {
  asleep,  ///< not to be ticked until it is woken
  waiting, ///< to be ticked again, but nothing moved
  moved    ///< something moved; to be ticked again
};

class Engine;

/// Something with a clock.
class Component {
public:
  virtual ~Component() = default;
  /// One cycle.  Called by the engine only.
  virtual Activity tick() = 0;
  /// Appends a line ("  L1: 3 lines wait for L2\n") for each thing that the
  /// component waits for, and nothing if it waits for nothing.
  virtual void explain(std::string &text) const = 0;

private:
  friend class Engine;
  Clock clock{1};
  /// When it ticks next.
  Tick next = kNever;
  /// Its place in the order.
  int order = 0;
};

/// Looks at the simulation now and then, from outside of it.
class Observer {
public:
  virtual ~Observer() = default;
  /// Called between steps; must not change anything that is simulated.
  virtual void observe() = 0;
};

/// The watchdog's: nothing moves. The message says which component waits for
/// what.
class Stalled : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Engine {
public:
  explicit Engine(const Machine &machine);

  /// Adds a component, asleep.  It must outlive the engine's last run.  Not
  /// while the engine runs.
  void add(Component &component, Clock clock);

  /// The clock of that name.  REQUIRES: the machine has it, as it has those of
  /// Machine::clockOf.
  Clock clock(std::string_view name) const {
    return Clock(clocks.period(name));
  }
  /// That of the cores, in whose cycles a run is told.
  Clock coreClock() const { return cores; }

  Tick now() const { return time; }
  uint64_t coreCycle() const { return cores.cycle(time); }

  /// Ticks the component at its next edge: this very tick if its turn in it is
  /// still to come.  So what goes to a component that was added earlier is seen
  /// at its next edge, whether it was awake or not.
  void wake(Component &component) { schedule(component, time); }
  /// Ticks the component at its first edge at or after `tick`, if it does not
  /// tick before.  Counts as movement until then, so it is not for polling:
  /// for that a component returns `waiting`.
  void wakeAt(Component &component, Tick tick) {
    schedule(component, tick);
    lastMove = tick > lastMove ? tick : lastMove;
  }

  /// Ticks every component at its next edge.  Changes nothing that is
  /// simulated: one that sleeps has nothing to do until it is woken.
  void wakeAll() {
    for (Component *component : components)
      wake(*component);
  }

  /// What each component waits for now, a line each.
  std::string explain() const;

  /// Calls the observer from now on, as soon as `interval` ticks or more have
  /// passed since it was called.  One at most; it must outlive the last run.
  void setObserver(Observer &added, Tick interval) {
    observer = &added;
    observeInterval = interval;
    observeAt = time + interval;
  }

  /// Goes on until done() is true, which is asked after each step.  Throws
  /// Stalled if no component is awake, or nothing has moved for
  /// `watchdog.cycles`.
  template <class Done> void run(Done &&done) {
    while (!done())
      step();
  }

private:
  void schedule(Component &component, Tick tick) {
    if (tick >= component.next)
      return;
    Tick earliest = component.order > turn ? time : time + 1;
    Tick at = component.clock.edge(tick > earliest ? tick : earliest);
    component.next = at < component.next ? at : component.next;
  }
  void step();
  [[noreturn]] void stall(const std::string &why) const;

  const Clocks clocks;
  const Clock cores;
  std::vector<Component *> components;
  Tick time = 0;
  /// Whose turn it is; all have had theirs in `time` between steps.
  int turn = -1;
  Tick lastMove = 0;
  Observer *observer = nullptr;
  Tick observeInterval = 0, observeAt = kNever;
  Tick patience;
  uint32_t watchdogCycles;
};

} // namespace chansim

#endif // CHANSIM_ENGINE_H
