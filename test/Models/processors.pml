/*===- processors.pml - Model of workers awake, for spin ----------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * How a task block on offer finds a thief when there are more workers than processors:
 * Pool::findThief, beginSleep, endSleep, wakeForOffers, countEnded, threadMain
 * (Pool.cpp), appoint, passWatch and sleepParked (Watch.cpp). One statement per atomic
 * operation. What happens under the pool's lock is one statement, with the ring that
 * follows, whose parts are in sleep.pml. The waiters that may take descendants are
 * there, too. (For the last processor one of these is rung first. If it then has
 * something else to do, Pool::passRingOn finds a thief as here.) Sequentially
 * consistent: the orders that the code requires by seq_cst are marked here. Each is a
 * store and then a load of another word, against the same pair in another thread.
 *
 *   (a) Pool::offered      enqueue, then read `awake`, `watch` and `available`
 *   (b) Pool::beginSleep, countEnded   lower `awake`, then look at the steal queues
 *   (c) threadMain         raise `available`, lower `awake`, then look at the steal
 *                          queues: at once if a processor is idle, else in sleepParked
 *   (d) sleepParked, passWatch   leave the post, then look at the steal queues
 *
 * OWNERS owners offer a task block each. Then each waits in its kernel until all task
 * blocks have begun. Or it sleeps until its own is finished, or, with TAKEBACK, takes
 * it back. The kernel of a task block lasts until all have begun; with SHORT, it ends
 * at once. THREADS threads of the pool take any. PROCESSORS is what the number of awake
 * workers is compared with. Periods end EARLY times at any moment, and otherwise when
 * nothing else happens. Then, for every task block on offer while a thread is parked, a
 * thread must watch, and no processor may be idle. The task block waits for no more
 * than TICKS such periods. So all task blocks begin, whichever workers are blocked.
 *
 *   holds     -DOWNERS=1 -DTHREADS=1 -DPROCESSORS=1 -DEARLY=2 -DTAKEBACK
 *   holds     -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=1
 *   holds     -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=2
 *   holds     -DOWNERS=2 -DTHREADS=1 -DPROCESSORS=1 -DSHORT -DEARLY=1
 *   holds     -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=1 -DSHORT
 *
 * Mutants, each to be found:
 *   mutant 1  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=2  reads `awake` before it enqueues
 *   mutant 2  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=2  a worker that falls asleep does not look
 *   mutant 3  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=2  looks before it is counted asleep
 *   mutant 4  -DOWNERS=2 -DTHREADS=1 -DPROCESSORS=1 -DSHORT -DTAKEBACK  thread leaves its
 *                                                    post after its last look
 *   mutant 5  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=1  passes no watch on
 *   mutant 6  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=2  thread rung for nothing passes nothing on
 *                                                    while no processor is idle
 *   mutant 7  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=2  the last to be parked does not look
 *   mutant 8  -DOWNERS=2 -DTHREADS=2 -DPROCESSORS=1  an offer without a processor tells
 *                                                    no worker
 */
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef EARLY
#define EARLY 0
#endif
#ifndef TICKS
#define TICKS 4
#endif

#define noOwner OWNERS

mtype = { vacant, appointed, onDuty };

bool stealQueue[OWNERS], asleep[OWNERS];
/* Periods since it was offered, as Pool::period tells; 2 is old, however many more it
   takes while all processors are in use. */
byte age[OWNERS];
byte begun;
bool finished[OWNERS];

mtype watch = vacant;
/* Too low while a thread that has rung is about to raise it. */
short awake;
byte available = THREADS;
bool started[THREADS], parked[THREADS];
/* As in sleep.pml. */
bool changed[THREADS], inFutex[THREADS];

/* Workers that sleep for a period, what is left of the early ends, and the other ends since
   a task block was offered or taken. */
bool timed[THREADS];
byte early = EARLY;
byte ticks;
byte left = OWNERS;

/* Pool::wakeThread; `popped` is THREADS if there is none. */
inline wakeThread(popped) {
  popped = THREADS;
  if
  :: available ->
     atomic {
       if
       :: parked[0] -> popped = 0; parked[0] = false
#if THREADS > 1
       :: parked[1] -> popped = 1; parked[1] = false
#endif
       :: else ->
          if
          :: !started[0] -> popped = 0; started[0] = true
#if THREADS > 1
          :: started[0] && !started[1] -> popped = 1; started[1] = true
#endif
          :: else
          fi
       fi;
       if
       :: popped != THREADS ->
          available--; awake++; changed[popped] = true; inFutex[popped] = false
       :: else
       fi
     }
  :: else
  fi
}

inline areOffers(result) {
  result = stealQueue[0];
#if OWNERS > 1
  if
  :: !result -> result = stealQueue[1]
  :: else
  fi
#endif
}

/* Pool::ensureWatch, for waiters that are in sleep.pml and reservation.pml only. */
inline ensureWatch(popped, done) {
  done = (watch != vacant);
  if
  :: !done && available ->
     atomic {
       if
       :: watch == vacant -> watch = appointed
       :: else -> done = true
       fi
     }
     if
     :: !done ->
        wakeThread(popped);
        if
        :: popped == THREADS ->
           atomic {
             if
             :: watch == appointed -> watch = vacant
             :: else
             fi
           }
        :: else
        fi
     :: else
     fi
  :: else
  fi
}

inline findThief(popped, done) {
  done = (awake < PROCESSORS);
  if
  :: done -> wakeThread(popped)
  :: else ->
#if MUTANT != 8
     ensureWatch(popped, done)
#else
     skip
#endif
  fi
}

/* Pool::wakeForOffers, after `awake` was lowered; `done` for mutant 3. */
inline wakeForOffers(popped, done) {
#if MUTANT == 2
  done = false;
#elif MUTANT == 3
  done = (done && awake < PROCESSORS);
#else
  done = (awake < PROCESSORS); /* (b) */
  if
  :: done && available -> areOffers(done)
  :: else -> done = false
  fi;
#endif
  if
  :: done -> wakeThread(popped)
  :: else
  fi
}

/* Pool::ringIfAsleep: raises `awake` for the sleeper, which may have gone on by then. */
inline ringIfAsleep(p, rings) {
  atomic { rings = asleep[p]; asleep[p] = false }
  if
  :: rings -> awake++
  :: else
  fi
}

/* takeFrom, of owner p. */
inline takeFrom(p, found, least) {
  atomic {
    if
    :: found == noOwner && stealQueue[p] && age[p] >= least ->
       stealQueue[p] = false; begun++; found = p; ticks = 0
    :: else
    fi
  }
}

inline take(found, least) {
  takeFrom(0, found, least);
#if OWNERS > 1
  takeFrom(1, found, least)
#endif
}

/* sleepForPeriod */
inline sleepForPeriod(t, over) {
  atomic {
    if
    :: !changed[t] -> inFutex[t] = true; timed[t] = true
    :: else
    fi
  }
endPeriod:
  if
  :: atomic { !inFutex[t] -> timed[t] = false }
  :: atomic { inFutex[t] && early -> early--; inFutex[t] = false; timed[t] = false }
  fi;
  over = !changed[t];
  if
  :: over ->
     d_step {
       if
       :: age[0] < 2 -> age[0]++
       :: else
       fi;
#if OWNERS > 1
       if
       :: age[1] < 2 -> age[1]++
       :: else
       fi
#endif
     }
  :: else
  fi
}

#define futexWait(t)                                                           \
  atomic {                                                                     \
    if                                                                         \
    :: !changed[t] -> inFutex[t] = true                                        \
    :: else                                                                    \
    fi                                                                         \
  }

proctype Owner(byte self) {
  byte popped;
  bool done;
  awake++;
#if MUTANT == 1
  findThief(popped, done);
#endif
  d_step { age[self] = 0; stealQueue[self] = true; ticks = 0 } /* (a) */
#if MUTANT != 1
  findThief(popped, done);
#endif
  d_step { popped = 0; done = false }
  if
  :: true -> begun == OWNERS
  :: true
#ifdef TAKEBACK
  :: atomic {
       if
       :: stealQueue[self] -> stealQueue[self] = false; begun++; finished[self] = true; ticks = 0
       :: else
       fi
     }
#endif
  fi;
  if
  :: finished[self]
  :: else ->
#if MUTANT == 3
     areOffers(done);
#endif
     d_step { awake--; asleep[self] = true }
     wakeForOffers(popped, done);
     d_step { popped = 0; done = false }
     finished[self];
     /* Pool::endSleep */
     d_step {
       done = !asleep[self];
       if
       :: asleep[self] -> asleep[self] = false; awake++
       :: else
       fi
     }
     /* Pool::passRingOn */
     if
     :: done -> areOffers(done)
     :: else
     fi;
     if
     :: done -> findThief(popped, done)
     :: else
     fi;
     d_step { popped = 0; done = false }
  fi;
  /* Pool::countEnded */
#if MUTANT == 3
  areOffers(done);
#endif
  awake--;
  wakeForOffers(popped, done);
  d_step { popped = 0; done = false; left-- }
}

proctype Thread(byte self) {
  byte found, popped;
  bool over, needed, watches, done, rung, mayRun;
  mtype post;
endUnstarted:
  started[self];
  do
  :: found = noOwner;
     over = false;
     if
     :: awake > PROCESSORS
     :: else -> take(found, 0)
     fi;
     if
     :: found == noOwner ->
        changed[self] = false;
        atomic { /* (c) */
          parked[self] = true; available++;
          mayRun = (awake <= PROCESSORS); awake--
        }
        if
        :: mayRun && MUTANT != 7 -> take(found, 0)
        :: else
        fi;
        if
        :: found == noOwner ->
           /* sleepParked */
           do
           :: areOffers(needed);
              if
              :: watches && needed ->
                 sleepForPeriod(self, over);
                 break
              :: watches && !needed ->
                 atomic { watch = vacant; watches = false } /* (d) */
#if MUTANT == 4
                 futexWait(self);
endGone:         !inFutex[self];
                 break
#endif
              :: !watches ->
                 post = watch;
                 if
                 :: post == onDuty || (post == vacant && !needed) ->
                    futexWait(self);
endAsleep:          !inFutex[self];
                    break
                 :: else ->
                    atomic {
                      if
                      :: watch == post && needed -> watch = onDuty; watches = true
                      :: watch == post && !needed -> watch = vacant
                      :: else
                      fi
                    }
                 fi
              fi
           od;
           if
           :: over -> take(found, 2)
           :: else
           fi
        :: else
        fi;
        atomic {
          rung = !parked[self];
          if
          :: parked[self] -> parked[self] = false; available--; awake++
          :: else
          fi
        }
        if
#if MUTANT == 6
        :: rung && found != noOwner && awake < PROCESSORS -> wakeThread(popped)
#else
        :: rung && found != noOwner -> findThief(popped, done)
#endif
        :: else
        fi
     :: else
     fi;
     if
     :: found != noOwner ->
        /* passWatch */
        atomic {
          done = watches || watch == appointed;
          if
          :: done -> watch = vacant; watches = false /* (d) */
          :: else
          fi
        }
        if
        :: done && MUTANT != 5 ->
           areOffers(needed);
           if
           :: needed -> ensureWatch(popped, done)
           :: else
           fi
        :: else
        fi;
#ifndef SHORT
        begun == OWNERS;
#endif
        finished[found] = true;
        ringIfAsleep(found, done)
     :: else
     fi;
     d_step {
       found = 0; popped = 0; over = false; needed = false; done = false;
       rung = false; mayRun = false; post = 0
     }
  od
}

proctype Clock() {
  byte i;
  bool any, offers;
end:
  do
  :: atomic {
       timeout && left ->
       i = 0;
       do
       :: i == OWNERS -> break
       :: else -> offers = offers || stealQueue[i]; i++
       od;
       i = 0;
       do
       :: i == THREADS -> break
       :: else ->
          if
          :: timed[i] -> inFutex[i] = false; any = true
          :: else
          fi;
          i++
       od;
       assert(any);
       assert(!offers || awake >= PROCESSORS);
       ticks++;
       assert(ticks <= TICKS);
       any = false;
       offers = false
     }
  od
}

init {
  byte i;
  atomic {
    do
    :: i == THREADS -> break
    :: else -> run Thread(i); i++
    od;
    i = 0;
    do
    :: i == OWNERS -> break
    :: else -> run Owner(i); i++
    od;
    run Clock()
  }
}
