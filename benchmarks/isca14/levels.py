# ===- levels.py - How many wavefronts the programs need -----------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Counts wavefronts without a machine: each level of the tree of tasks is dispatched in
wavefronts of 64 threads, and so are the continuations of a level.

    wavefronts("fibonacci", 24)  ->  (1458, 734)      # 2192, as in Table 3 of ISCA'14

The first number is of tasks, the second of parts behind a sync.
"""

from bisect import bisect_left
from collections import Counter

LANES = 64
SORT_BASE = MERGE_BASE = 64


def waves(populations):
    return sum(-(-count // LANES) for count in populations if count)


def fibonacci(n):
    level, tasks, later = Counter({n: 1}), [], []
    while level:
        tasks.append(level.total())
        following = Counter()
        for size, count in level.items():
            if size > 2:
                following[size - 1] += count
                following[size - 2] += count
        later.append(sum(count for size, count in level.items() if size > 2))
        level = following
    return waves(tasks), waves(later)


def queens(n, base=4):
    boards, tasks, later = [()], [], []
    for row in range(max(n - base, 0) + 1):
        tasks.append(len(boards))
        if row >= n - base:
            break
        later.append(len(boards))
        boards = [
            (*board, column)
            for board in boards
            for column in range(n)
            if all(q != column and abs(q - column) != row - i for i, q in enumerate(board))
        ]
    return waves(tasks), waves(later)


def scramble(x):
    """As in test/Support/check.h."""
    mask = (1 << 64) - 1
    x = (x + 0x632BE59BD9B4E019) * 0xD1342543DE82EF95 & mask
    x ^= x >> 29
    x = x * 0xAF251AF3B0F025B5 & mask
    return x ^ x >> 32


def permutation(count):
    data = list(range(count))
    for i in range(count - 1, 0, -1):
        other = scramble(i) % (i + 1)
        data[i], data[other] = data[other], data[i]
    return data


def merges(a, b, depth, levels):
    """Counts the tasks that merge two sorted runs, by level."""
    levels[depth] += 1
    if len(a) < len(b):
        a, b = b, a
    if len(b) <= MERGE_BASE:
        return
    i = len(a) // 2
    j = bisect_left(b, a[i])
    merges(a[:i], b[:j], depth + 1, levels)
    merges(a[i + 1 :], b[j:], depth + 1, levels)


def sort(count):
    """Tasks of a level that merge pairs, and those that merge the pairs of them, run after
    each other: a part each."""
    tasks, later, parts = Counter(), Counter(), Counter()

    def sorted_part(data, depth):
        tasks[depth] += 1
        if len(data) <= SORT_BASE:
            return sorted(data)
        later[depth] += 1
        quarter = len(data) // 4
        cuts = [0, quarter, 2 * quarter, 3 * quarter, len(data)]
        a, b, c, d = (sorted_part(data[x:y], depth + 1) for x, y in zip(cuts, cuts[1:]))
        levels = {turn: Counter() for turn in range(2)}
        merges(a, b, 0, levels[0])
        merges(c, d, 0, levels[0])
        merges(sorted(a + b), sorted(c + d), 0, levels[1])
        for turn, found in levels.items():
            for level, number in found.items():
                parts[depth, turn, level] += number
        return sorted(data)

    sorted_part(permutation(count), 0)
    return waves(tasks.values()) + waves(parts.values()), 2 * waves(later.values())


def strassen(n):
    tasks = [1]
    while n > 16:
        tasks.append(8 * tasks[-1])
        n //= 2
    return waves(tasks), 0


COUNTS = {"fibonacci": fibonacci, "queens": queens, "sort": sort, "strassen": strassen}


def wavefronts(program, size):
    """Wavefronts of tasks, and of continuations."""
    return COUNTS[program](size)
