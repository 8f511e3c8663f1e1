/*===- sleep.pml - Model of sleeping and waking, for spin ---------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * How an offered task block finds an idle worker, and a finished one its owner:
 * Pool::offered, Pool::wakeThread, Pool::threadMain (Pool.cpp), awaitTaskBlocks, takeBack
 * and runTaskBlock (Sharing.cpp), TaskBlock::claim. There are as many processors as
 * workers; processors.pml is about fewer. One statement per atomic operation; what
 * happens under the pool's lock is one statement. Sequentially consistent: the orders
 * that the code requires by seq_cst are marked (a) to (d) here. Each is a store and
 * then a load of another word, against the same pair in another thread.
 *
 *   (a) Pool::offered      enqueue, then read `available` and `asleep`
 *   (b) Pool::threadMain   raise `available`, then look at the steal queues
 *   (c) awaitTaskBlocks    store `asleep`, then look at the steal queues and at the
 *                          states of the task blocks
 *   (d) runTaskBlock       store `finished`, then read `asleep`
 *
 * OWNERS owners offer a task block each, perhaps take it back, and wait for it. THREADS
 * threads of the pool take any. The kernel of an ordinary task block and of an owner
 * lasts until every task block has begun. So two end states are invalid: a task block
 * lies in a steal queue while a worker that may take it sleeps, or an owner is not told
 * that its task block is finished. With NESTED, the task block of owner 0 runs from the
 * start; the task block of owner 1 was made in it, and is the one that owner 0 may take
 * meanwhile. Its kernel is short; otherwise a thread that took it would keep owner 2's
 * task block from all workers.
 *
 *   holds     -DOWNERS=1 -DTHREADS=1 -DTAKEBACK
 *   holds     -DOWNERS=1 -DTHREADS=1 -DTAKEBACK -DRUNNING
 *   holds     -DOWNERS=2 -DTHREADS=2
 *   holds     -DOWNERS=2 -DTHREADS=2 -DRUNNING
 *   holds     -DOWNERS=2 -DTHREADS=1 -DRUNNING -DNESTED
 *   holds     -DOWNERS=3 -DTHREADS=1 -DRUNNING -DNESTED
 *
 * Mutants, each to be found:
 *   mutant 1  -DOWNERS=1 -DTHREADS=1 -DRUNNING   looks for sleepers before it enqueues
 *   mutant 2  -DOWNERS=1 -DTHREADS=1 -DRUNNING   thread announces after its last look
 *   mutant 3  -DOWNERS=1 -DTHREADS=1 -DRUNNING   thread reads its alarm after its last look
 *   mutant 4  -DOWNERS=1 -DTHREADS=1 -DRUNNING   rings before the task block is finished
 *   mutant 5  -DOWNERS=1 -DTHREADS=1 -DRUNNING   owner announces after its last look
 *   mutant 6  -DOWNERS=3 -DTHREADS=1 -DRUNNING -DNESTED  the same with the steal queues
 *   mutant 7  -DOWNERS=1 -DTHREADS=1 -DRUNNING   wakes before the alarm has changed
 *   mutant 8  -DOWNERS=1 -DTHREADS=1 -DTAKEBACK  claims in two steps
 *   mutant 9  -DOWNERS=2 -DTHREADS=2 -DRUNNING   thread rung for nothing passes nothing on
 *   mutant 10 -DOWNERS=3 -DTHREADS=1 -DRUNNING -DNESTED  passes it on to threads only
 *   mutant 11 -DOWNERS=3 -DTHREADS=1 -DRUNNING -DNESTED  an offer rings threads only
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#define WORKERS (OWNERS + THREADS)
/* No task block. */
#define noOwner OWNERS
/* Worker number of a thread; that of an owner is its own. */
#define threadWorker(t) (OWNERS + (t))

mtype = { none, queued, taken, finished };

/* The one task block of each owner's steal queue; it is dequeued before it is claimed. */
mtype state[OWNERS] = none;
bool stealQueue[OWNERS];
byte begun;

/* Of the threads: written under the lock; `available` is read without it. */
#ifdef RUNNING
bool started[THREADS] = true;
byte available;
#else
bool started[THREADS];
byte available = THREADS;
#endif
bool parked[THREADS];

/* Of all workers.  Of its alarm only matters whether it has changed since the worker
   read it.  A futex: a waiter is put to sleep if it has not, and stays so until it is
   woken. */
bool changed[WORKERS];
bool inFutex[WORKERS];
bool asleep[OWNERS];

inline futexWait(worker) {
  atomic {
    if
    :: !changed[worker] -> inFutex[worker] = true
    :: else
    fi
  }
}
#define woken(worker) (!inFutex[worker])

inline ring(worker) {
#if MUTANT == 7
  inFutex[worker] = false;
  changed[worker] = true
#else
  changed[worker] = true;
  inFutex[worker] = false
#endif
}

/* One exchange: a worker that is rung for one task block is not rung for the next. */
inline ringIfAsleep(owner) {
  if
  :: atomic { asleep[owner] -> asleep[owner] = false }; ring(owner)
  :: else
  fi
}

/* Pool::wakeThread: pops a parked thread, or starts one. */
inline wakeThread(popped) {
  popped = THREADS;
  if
  :: available ->
     atomic {
       if
       :: parked[0] -> popped = 0
#if THREADS > 1
       :: parked[1] -> popped = 1
#endif
#if THREADS > 2
       :: parked[2] -> popped = 2
#endif
       :: else
       fi;
       if
       :: popped < THREADS -> parked[popped] = false; available--;
       :: else ->
          if
          :: !started[0] -> popped = 0
#if THREADS > 1
          :: started[0] && !started[1] -> popped = 1
#endif
#if THREADS > 2
          :: started[0] && started[1] && !started[2] -> popped = 2
#endif
          :: else
          fi;
          if
          :: popped < THREADS -> started[popped] = true; available--;
          :: else
          fi
       fi
     }
     if
     :: popped < THREADS -> ring(threadWorker(popped))
     :: else
     fi
  :: else
  fi
}

/* Only the task block of owner 0 has descendants on offer, see NESTED. */
inline ringWaiters() {
#ifdef NESTED
  ringIfAsleep(0)
#else
  skip
#endif
}

/* Pool::offered */
inline wake(p, popped) {
  wakeThread(popped);
  if
  :: popped == THREADS && p == 1 && MUTANT != 11 -> ringWaiters()
  :: else
  fi
}

/* TaskBlock::claim; `got` tells whether it succeeded. */
inline claim(p, got) {
#if MUTANT == 8
  got = (state[p] == queued);
  if
  :: got -> assert(state[p] != taken); state[p] = taken; begun++
  :: else
  fi
#else
  atomic {
    got = (state[p] == queued);
    if
    :: got -> state[p] = taken; begun++
    :: else
    fi
  }
#endif
}

/* takeFrom, where the caller may take what owner p offers. */
inline takeFrom(p, found, got) {
  if
#ifdef TAKEBACK
  :: atomic { found == noOwner && stealQueue[p] -> stealQueue[p] = false }
     claim(p, got);
     if
     :: got -> found = p
     :: else
     fi
#else
  :: atomic {
       found == noOwner && stealQueue[p] ->
       stealQueue[p] = false; state[p] = taken; begun++; found = p
     }
#endif
  :: else
  fi
}

/* takeAny */
inline takeAny(found, got) {
  found = noOwner;
  takeFrom(0, found, got);
#if OWNERS > 1
  takeFrom(1, found, got);
#endif
#if OWNERS > 2
  takeFrom(2, found, got);
#endif
}

/* takeDescendant, for owner self. */
inline takeDescendant(self, found, got) {
  found = noOwner;
#ifdef NESTED
  if
  :: self == 0 -> takeFrom(1, found, got)
  :: else
  fi
#endif
}

inline finish(p) {
#if MUTANT == 4
  ringIfAsleep(p);
  state[p] = finished
#else
  state[p] = finished; /* (d) */
  ringIfAsleep(p)
#endif
}

inline runTaskBlock(p) {
#ifdef NESTED
  (p == 1 || begun == OWNERS);
#else
  (begun == OWNERS);
#endif
  finish(p)
}

proctype Thread(byte self) {
  byte found, popped;
  bool got, rung;
endUnstarted:
  (started[self]);
end:
  do
  :: takeAny(found, got);
     if
     :: found == noOwner ->
#if MUTANT != 3
        changed[threadWorker(self)] = false;
#endif
#if MUTANT == 2
        takeAny(found, got);
#endif
        atomic { parked[self] = true; available++; } /* (b) */
#if MUTANT != 2
        takeAny(found, got);
#endif
#if MUTANT == 3
        changed[threadWorker(self)] = false;
#endif
        if
        :: found == noOwner ->
           futexWait(threadWorker(self));
endAsleep: woken(threadWorker(self))
        :: else
        fi;
        atomic {
          rung = !parked[self];
          if
          :: parked[self] -> parked[self] = false; available--;
          :: else
          fi
        }
#if MUTANT != 9
        if
        :: rung && found != noOwner ->
           wakeThread(popped);
#if MUTANT != 10
           if
           :: popped == THREADS -> ringWaiters()
           :: else
           fi
#endif
        :: else
        fi
#endif
     :: else
     fi;
     if
     :: found != noOwner -> runTaskBlock(found)
     :: else
     fi;
     d_step { found = 0; popped = 0; got = false; rung = false }
  od
}

proctype Owner(byte self) {
  byte found, popped;
  bool got, seen;
#ifdef NESTED
  if
  :: self == 0 -> goto wait
  :: else
  fi;
#endif
#if MUTANT == 1
  wake(self, popped);
#endif
  state[self] = queued;
  stealQueue[self] = true; /* (a) */
#if MUTANT != 1
  wake(self, popped);
#endif
  if
#ifdef TAKEBACK
  :: claim(self, got); /* takeBack: runs it itself */
     if
     :: got -> goto done
     :: else
     fi
#endif
  :: begun == OWNERS
  fi;
wait:
  do
  :: state[self] == finished -> break
  :: else ->
     takeDescendant(self, found, got);
     if
     :: found == noOwner ->
        changed[self] = false;
#if MUTANT == 6
        takeDescendant(self, found, got);
#endif
#if MUTANT == 5
        seen = (state[self] == finished);
#endif
        asleep[self] = true; /* (c) */
#if MUTANT != 6
        takeDescendant(self, found, got);
#endif
#if MUTANT != 5
        seen = (state[self] == finished);
#endif
        if
        :: found == noOwner && !seen ->
           futexWait(self);
           woken(self)
        :: else
        fi;
        asleep[self] = false
     :: else
     fi;
     if
     :: found != noOwner -> runTaskBlock(found)
     :: else
     fi;
     d_step { found = 0; got = false; seen = false }
  od;
done:
#ifdef NESTED
  /* The task block of owner 0 ran here. */
  if
  :: self == 1 -> finish(0)
  :: else
  fi
#else
  skip
#endif
}

init {
  byte i;
  atomic {
#ifdef NESTED
    state[0] = taken;
    begun = 1;
#endif
    do
    :: i == THREADS -> break
    :: else -> run Thread(i); i++
    od;
    i = 0;
    do
    :: i == OWNERS -> break
    :: else -> run Owner(i); i++
    od
  }
}
