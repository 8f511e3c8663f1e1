# ===- verdicts.py - Goals and whether they are reached ------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What was judged, and the one table of it. Values are not rounded before."""

from typing import NamedTuple

from tables import Table


class Verdict(NamedTuple):
    """A goal, which is the same text for all that it is about, and whether `program`
    reached it."""

    goal: str
    program: str
    value: float
    limit: float
    reached: bool

    def __str__(self):
        """The value and its limit. A missed one does not read as the limit."""
        text = f"{self.value:.2f}"
        if not self.reached and float(text) == round(self.limit, 2):
            text = f"{self.value:.4f}"
        return f"{text} ({self.limit:.4g})"


def at_least(goal, program, value, limit):
    return Verdict(goal, program, value, limit, value >= limit)


def at_most(goal, program, value, limit):
    return Verdict(goal, program, value, limit, value <= limit)


def below(goal, program, value, limit):
    return Verdict(goal, program, value, limit, value < limit)


def goals(verdicts):
    """A line for each goal: how many reached it, and who did not."""
    table = Table("Goals", "", "reached", "missed: value (limit)")
    for goal in dict.fromkeys(verdict.goal for verdict in verdicts):
        judged = [verdict for verdict in verdicts if verdict.goal == goal]
        missed = [verdict for verdict in judged if not verdict.reached]
        names = ", ".join(f"{verdict.program} {verdict}" for verdict in missed)
        table.add(goal, f"{len(judged) - len(missed)} of {len(judged)}", names)
    return table


def summary(verdicts):
    reached = sum(verdict.reached for verdict in verdicts)
    return f"Goals: {reached} reached, {len(verdicts) - reached} missed"
