/*===- demand.pml - Model of how clones learn of a demand, for spin -*- C -*-=*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * How a worker that runs serial clones learns that somebody wants work:
 * Pool::raiseDemand, Pool::busy (Pool.cpp) and Worker::refreshLimit (Serial.cpp).
 * One statement per atomic operation, sequentially consistent, as the code asks
 * for with seq_cst.
 *
 * RAISERS threads fall idle, and perhaps find work again; OFFERS parcels are on
 * offer at first, and the worker has nobody asked (poll_from: not high) ROUNDS
 * times.  In the end all must be (high) if somebody still wants work: a clone that
 * never looks again would keep all that it does to itself.
 *
 *   holds     -DRAISERS=1 -DROUNDS=3 -DOFFERS=0
 *   holds     -DRAISERS=2 -DROUNDS=2 -DOFFERS=0
 *   holds     -DRAISERS=3 -DROUNDS=1 -DOFFERS=1
 *
 * Mutants, each to be found:
 *   mutant 1  -DRAISERS=1 -DROUNDS=1 -DOFFERS=0  has all asked before it is counted
 *   mutant 2  -DRAISERS=1 -DROUNDS=1 -DOFFERS=0  the worker looks before it has nobody asked
 *   mutant 3  -DRAISERS=2 -DROUNDS=1 -DOFFERS=1  the first whom no offer waits for
 *                                                has nobody asked
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
