/*===- demand.pml - How clones see requests, for spin -------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * How a worker that runs serial clones learns of a request for work: Demand::raise,
 * Demand::busy (Pool.cpp) and Worker::refreshLimit (Serial.cpp). One statement per atomic
 * operation, sequentially consistent, as the code requires by seq_cst.
 *
 * RAISERS threads become idle, and may find work again. OFFERS task blocks are on offer
 * at first. ROUNDS times the worker makes its clones stop polling (poll_from: not
 * high). In the end they must poll (high) if a thread still wants work: a clone that
 * never polls again would keep all its work to itself.
 *
 *   holds     -DRAISERS=1 -DROUNDS=3 -DOFFERS=0
 *   holds     -DRAISERS=2 -DROUNDS=2 -DOFFERS=0
 *   holds     -DRAISERS=3 -DROUNDS=1 -DOFFERS=1
 *
 * Mutants, each to be found:
 *   mutant 1  -DRAISERS=1 -DROUNDS=1 -DOFFERS=0  makes clones poll before it is counted
 *   mutant 2  -DRAISERS=1 -DROUNDS=1 -DOFFERS=0  the worker looks before it stops polling
 *   mutant 3  -DRAISERS=2 -DROUNDS=1 -DOFFERS=1  the first thread without an offer
 *                                                makes no clone poll
 */
#ifndef MUTANT
#define MUTANT 0
#endif

int demand = -OFFERS;
bool high = false;
byte running = RAISERS + 1;

proctype Raiser() {
  int before;
  do
  :: if
     :: MUTANT == 1 -> high = true
     :: else
     fi;
     d_step { before = demand; demand++ }
      if
     :: MUTANT != 1 && (before > 0 || (before == 0 && MUTANT != 3)) -> high = true
     :: else
     fi;
     if
     :: demand--     /* it has found work again, and ends; or begins once more */
     :: break
     fi;
     if
     :: break
     :: running > 1
     fi
  od;
  running--
}

proctype Refresher() {
  byte round = 0;
  bool wanted;
  do
  :: round < ROUNDS ->
     if
     :: MUTANT == 2 -> wanted = demand > 0; high = false
     :: else -> high = false; wanted = demand > 0
     fi;
     if
     :: wanted -> high = true
     :: else
     fi;
     round++
  :: else -> break
  od;
  running--
}

init {
  byte i;
  atomic {
    for (i : 1 .. RAISERS) { run Raiser() }
    run Refresher()
  }
  running == 0;
  assert(demand <= 0 || high)
}
