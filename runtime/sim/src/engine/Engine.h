//===- Engine.h - Clocks and components -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is counted in ticks, of which each clock's period is a whole number
// (1400, 700 and 924 MHz: 33, 66 and 50 ticks).  A component is ticked at the
// edges of its clock, in the order in which components were added, as long as
// it is awake; time leaps to the next edge at which one is.  There is no queue
// of events: a component that expects something keeps it itself and asks for
// the tick by wakeAt().
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ENGINE_H
#define CHANSIM_ENGINE_H

#include "machine/Machine.h"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace chansim {

using Tick = uint64_t;
inline constexpr Tick kNever = ~Tick(0);

/// The clocks of Table 1.
enum class Clock : uint8_t { core, interconnect, l2, dram };
inline constexpr unsigned kClocks = 4;

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
  Tick period = 0;
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

  Tick now() const { return time; }
  Tick period(Clock clock) const {
    return periods[static_cast<unsigned>(clock)];
  }
  /// Edges of the clock since the beginning.
  uint64_t cycle(Clock clock) const { return time / period(clock); }
  /// The first edge of the clock at or after a tick.
  Tick edge(Clock clock, Tick tick) const {
    return roundUp(tick, period(clock));
  }

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
  static Tick roundUp(Tick tick, Tick period) {
    return (tick + period - 1) / period * period;
  }
  void schedule(Component &component, Tick tick) {
    if (tick >= component.next)
      return;
    Tick earliest = component.order > turn ? time : time + 1;
    Tick at = roundUp(tick > earliest ? tick : earliest, component.period);
    component.next = at < component.next ? at : component.next;
  }
  void step();
  [[noreturn]] void stall(const std::string &why) const;

  std::array<Tick, kClocks> periods;
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
