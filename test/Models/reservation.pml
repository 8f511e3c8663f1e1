/*===- reservation.pml - Model of reservations, for spin ----------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Elements that a worker reserves while its kernel runs (Reservation.h), and how
 * thieves come to look: Watch.cpp, Pool::threadMain, takeReservation and
 * awaitTaskBlocks (Sharing.cpp). One statement per atomic operation. What happens under
 * the pool's lock is one statement, and so is a ring, whose parts are in sleep.pml.
 * Sequentially consistent: the orders that the code requires by seq_cst are marked
 * here. Each is a store and then a load of another word, against the same pair in
 * another thread.
 *
 *   (a) Reservation::open   open it, then read `watch`, `available`, `dozes` and
 *                           `asleep` (Pool::noteReservation)
 *   (b) threadMain          raise `available`, then look for open reservations; in
 *                           sleepParked also: leave the post, then look for them
 *   (c) awaitTaskBlocks     store `asleep`, then look for open reservations
 *   (d) Pool::sleep         clear `dozes`, then look at the reservations
 *   (e) passWatch           leave the post, then read `dozes` and `asleep`
 *   (f) Pool::sleep         `asleep` as in (c), then read `watch`
 *
 * KERNELS workers run kernels that reserve an element OPENINGS times. The last time the
 * kernel lasts until the elements reserved last by all workers have begun; these
 * elements last as long. So when nothing else happens, a worker must be watching
 * (Clock). THREADS threads of the pool take any reservation. With WAITERS, each kernel
 * is a descendant of a task block that a worker of its own waits for; that worker may
 * take from this kernel only. With JOB, something that lasts as long is offered.
 * Periods end EARLY times at any moment, and otherwise, for all that watch, when
 * nothing else happens. It is an error if TICKS of these pass without a new
 * reservation: a worker then watches that cannot take the reservation, while one that
 * can does not. A refusal takes time EARLY times. Two more properties are checked: each
 * element begins once, and only the thief uses the reserved elements while it takes
 * them.
 *
 *   holds     -DKERNELS=1 -DTHREADS=1 -DEARLY=2
 *   holds     -DKERNELS=1 -DTHREADS=2
 *   holds     -DKERNELS=1 -DTHREADS=2 -DOPENINGS=1 -DEARLY=2
 *   holds     -DKERNELS=1 -DTHREADS=0 -DWAITERS -DEARLY=2
 *   holds     -DKERNELS=2 -DTHREADS=0 -DWAITERS -DOPENINGS=1
 *   holds     -DKERNELS=1 -DTHREADS=1 -DWAITERS
 *   holds     -DKERNELS=1 -DTHREADS=1 -DWAITERS -DOPENINGS=1 -DJOB
 *
 * Mutants, each to be found; for one, the protocol has too many states:
 *   mutant 1  -DKERNELS=1 -DTHREADS=1            looks for watchers before it reserves
 *   mutant 2  -DKERNELS=1 -DTHREADS=1            thread leaves its post after its last look
 *   mutant 3  -DKERNELS=1 -DTHREADS=0 -DWAITERS  waiter announces after its last look
 *   mutant 4  -DKERNELS=1 -DTHREADS=1 -DWAITERS -DOPENINGS=1 -DJOB  passes no watch on
 *   mutant 5  -DKERNELS=1 -DTHREADS=1 -DEARLY=2  an appointed thread leaves without notice
 *   mutant 6  -DKERNELS=2 -DTHREADS=0 -DWAITERS -DOPENINGS=1  not open while being taken
 *   mutant 7  -DKERNELS=2 -DTHREADS=0 -DWAITERS -DOPENINGS=1  no last look for reservations
 *   mutant 8  -DKERNELS=1 -DTHREADS=1 -DEARLY=2  close does not wait for a thief
 *   mutant 9  -DKERNELS=1 -DTHREADS=1 -DEARLY=2  ends the taking before it has copied
 *   mutant 10 -DKERNELS=2 -DTHREADS=0 -DWAITERS -DOPENINGS=1  a waiter watches for all
 *   mutant 11 -DKERNELS=1 -DTHREADS=1 -DEARLY=2  wakes the owner while it still takes
 *   mutant 12 -DKERNELS=1 -DTHREADS=1 -DWAITERS  begins to take in two steps
 *   mutant 13 -DKERNELS=2 -DTHREADS=1 -DWAITERS -DOPENINGS=1 -DJOB -DEARLY=0
 *             finds no thread to appoint, and does not tell those that relied on it
 */
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef OPENINGS
#define OPENINGS 2
#endif
#ifndef EARLY
#define EARLY 1
#endif
#ifndef TICKS
#define TICKS 3
#endif

/* Watchers: the threads, then the waiter of each kernel. */
#define waiterOf(k) (THREADS + (k))
#define WATCHERS (THREADS + KERNELS)

mtype = { closed, open, taking, vacant, appointed, onDuty };

/* The word of each reservation: its state and its number.  The owner may sleep on it. */
mtype word[KERNELS] = closed;
byte number[KERNELS];
bool ownerInFutex[KERNELS];
byte noticed[KERNELS];

/* Ghosts: how often the reserved element has begun; whether a thief holds it. */
byte begun[KERNELS];
bool inHands[KERNELS];
/* Kernels whose last element has begun in a thief, and that have ended. */
byte met;
bool finished[KERNELS];

mtype watch = vacant;
bool recent;
byte available;
bool job;

/* Of the watchers, as in sleep.pml. */
bool parked[WATCHERS], changed[WATCHERS], inFutex[WATCHERS];
bool asleep[WATCHERS], dozes[WATCHERS];

/* Workers that sleep for a period, what is left of the early ends, and the other ends since
   a reservation was opened. */
bool timed[WATCHERS];
byte early[WATCHERS] = EARLY;
byte slow[WATCHERS] = EARLY;
byte ticks;
/* Kernels and waiters that have not ended. */
byte left;

inline ring(w) {
  atomic { changed[w] = true; inFutex[w] = false }
}

/* Pool::wakeThread; `popped` is a watcher, WATCHERS if there is none. */
inline wakeThread(popped) {
  popped = WATCHERS;
#if THREADS > 0
  if
  :: available ->
     atomic {
       if
       :: parked[0] -> popped = 0
#if THREADS > 1
       :: parked[1] -> popped = 1
#endif
       :: else
       fi;
       if
       :: popped != WATCHERS -> parked[popped] = false; available--
       :: else
       fi
     }
     if
     :: popped != WATCHERS -> ring(popped)
     :: else
     fi
  :: else
  fi
#endif
}

inline ringUnlessDozing(w) {
  if
  :: dozes[w]
  :: else ->
     if
     :: atomic { asleep[w] -> asleep[w] = false }; ring(w)
     :: else
     fi
  fi
}

inline ringWaiters() {
#ifdef WAITERS
  ringUnlessDozing(waiterOf(0));
#if KERNELS > 1
  ringUnlessDozing(waiterOf(1));
#endif
#endif
  skip
}

#if MUTANT == 6
#define isOpen(k) (word[k] == open)
#elif MUTANT == 7
#define isOpen(k) false
#else
#define isOpen(k) (word[k] != closed)
#endif

inline areReservations(result) {
  result = recent;
  if
  :: !result -> result = isOpen(0)
  :: else
  fi;
#if KERNELS > 1
  if
  :: !result -> result = isOpen(1)
  :: else
  fi
#endif
}

/* Pool::appoint */
inline appoint(popped, done) {
  done = false;
  if
  :: available ->
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
        :: popped == WATCHERS ->
           atomic {
             if
             :: watch == appointed -> watch = vacant
             :: else
             fi
           }
#if MUTANT != 13
           ringWaiters()
#endif
        :: else
        fi;
        done = true
     :: else
     fi
  :: else
  fi
}

inline noteReservation(k) {
  recent = true;
  if
  :: watch == vacant ->
     appoint(popped, done);
#ifdef WAITERS
     if
     :: !done -> ringUnlessDozing(waiterOf(k))
     :: else
     fi
#endif
  :: else
  fi
}

/* Reservation::close; `kept` if no thief took the element. */
inline close(k, kept) {
  do
  :: atomic { word[k] == closed -> kept = false; break }
  :: atomic { word[k] == open -> word[k] = closed; kept = true; break }
#if MUTANT == 8
  :: atomic { word[k] == taking -> kept = true; break }
#else
  :: word[k] == taking ->
     /* futexWait */
     atomic {
       if
       :: word[k] == taking -> ownerInFutex[k] = true
       :: else
       fi
     }
     !ownerInFutex[k]
#endif
  od
}

/* Reservation::endTake and Reservation::refuse */
inline leave(k, state) {
  inHands[k] = false;
#if MUTANT == 11
  ownerInFutex[k] = false;
  word[k] = state
#else
  word[k] = state;
  ownerInFutex[k] = false
#endif
}

/* takeReservation, of one reservation.  `found` is KERNELS if nothing was. */
inline takeFrom(w, k, wanted, found, seen, got) {
  atomic {
    if
    :: found == KERNELS && word[k] == open -> seen = number[k]
    :: else -> seen = 0
    fi
  }
  if
  :: seen ->
     atomic { got = (noticed[k] == seen); noticed[k] = seen }
     if
     :: got ->
#if MUTANT == 12
        got = (word[k] == open && number[k] == seen);
        if
        :: got -> word[k] = taking; assert(!inHands[k]); inHands[k] = true
        :: else
        fi;
#else
        atomic {
          got = (word[k] == open && number[k] == seen);
          if
          :: got && (wanted || slow[w]) -> word[k] = taking; inHands[k] = true
          :: else
          fi
        }
#endif
        if
        :: got && wanted ->
#if MUTANT == 9
           leave(k, closed);
           begun[k]++;
#else
           begun[k]++;
           leave(k, closed);
#endif
           found = k;
           last = (seen == OPENINGS);
           if
           :: last -> met++
           :: else
           fi
        :: got && !wanted && slow[w] -> slow[w]--; leave(k, open)
        :: got && !wanted && !slow[w] ->
        :: else
        fi
     :: else
     fi
  :: else
  fi
}

/* sleepForPeriod */
inline sleepForPeriod(w, over) {
  atomic {
    if
    :: !changed[w] -> inFutex[w] = true; timed[w] = true
    :: else
    fi
  }
endPeriod:
  if
  :: atomic { !inFutex[w] -> timed[w] = false }
  :: atomic {
       inFutex[w] && early[w] ->
       early[w]--; inFutex[w] = false; timed[w] = false
     }
  fi;
  over = !changed[w];
  if
  :: over -> recent = false
  :: else
  fi
}

#define futexWait(w)                                                           \
  atomic {                                                                     \
    if                                                                         \
    :: !changed[w] -> inFutex[w] = true                                        \
    :: else                                                                    \
    fi                                                                         \
  }

proctype Kernel(byte self) {
  byte popped;
  bool done, kept;
  do
  :: number[self] == OPENINGS -> break
  :: else ->
#if MUTANT == 1
     noteReservation(self);
#endif
     atomic { begun[self] = 0; number[self]++; word[self] = open; ticks = 0 } /* (a) */
#if MUTANT != 1
     noteReservation(self);
#endif
     /* A thief of the last element adds to it, and no other thread does. */
     (number[self] < OPENINGS || met == KERNELS);
     close(self, kept);
     assert(!inHands[self]);
     if
     :: kept -> begun[self]++
     :: else
     fi;
     assert(begun[self] == 1);
     d_step { popped = 0; done = false; kept = false }
  od;
  finished[self] = true;
#ifdef WAITERS
  if
  :: atomic { asleep[waiterOf(self)] -> asleep[waiterOf(self)] = false };
     ring(waiterOf(self))
  :: else
  fi;
#endif
  left--
}

#ifdef JOB
proctype Job() {
  byte popped;
  job = true;
  wakeThread(popped)
}
#endif

inline takeAny(found) {
  found = KERNELS;
#ifdef JOB
  if
  :: atomic { job -> job = false; found = KERNELS + 1; last = true }
  :: else
  fi
#endif
}

proctype Thread(byte self) {
  byte found, seen, popped;
  bool over, needed, watches, got, last, done, rung;
  mtype post;
endIdle:
  do
  :: takeAny(found);
     if
     :: found == KERNELS ->
        changed[self] = false;
        over = false;
        atomic { parked[self] = true; available++ } /* (b) */
        takeAny(found);
        if
        :: found == KERNELS ->
           /* sleepParked */
           do
           :: areReservations(needed);
              if
              :: watches && needed ->
                 sleepForPeriod(self, over);
                 break
              :: watches && !needed ->
                 atomic { watch = vacant; watches = false }
#if MUTANT == 2
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
#if MUTANT == 5
                 :: post == appointed && !needed ->
                    futexWait(self);
endSilent:          !inFutex[self];
                    break
                 :: (post == appointed || post == vacant) && needed ->
#else
                 :: else ->
#endif
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
           :: over ->
              takeFrom(self, 0, true, found, seen, got);
#if KERNELS > 1
              takeFrom(self, 1, true, found, seen, got);
#endif
           :: else
           fi
        :: else
        fi;
        atomic {
          rung = !parked[self];
          if
          :: parked[self] -> parked[self] = false; available--
          :: else
          fi
        }
        if
        :: rung && found != KERNELS ->
           wakeThread(popped);
           if
           :: popped == WATCHERS -> ringWaiters()
           :: else
           fi
        :: else
        fi
     :: else
     fi;
     if
     :: found != KERNELS ->
        /* passWatch */
        if
        :: watches -> atomic { watch = vacant; watches = false } /* (e) */
        :: else ->
           atomic {
             if
             :: watch == appointed -> watch = vacant
             :: else
             fi
           }
        fi;
#if MUTANT != 4
        areReservations(needed);
        if
        :: needed && watch == vacant ->
           appoint(popped, done);
           if
           :: !done -> ringWaiters()
           :: else
           fi
        :: else
        fi;
#endif
        (met == KERNELS || !last)
     :: else
     fi;
     d_step {
       found = 0; seen = 0; popped = 0; over = false; needed = false;
       got = false; last = false; done = false; rung = false; post = 0
     }
  od
}

proctype Waiter(byte k) {
  byte found, seen;
  bool over, needed, got, last, ended;
  do
  :: finished[k] -> break
  :: else ->
     found = KERNELS;
     over = false;
     changed[waiterOf(k)] = false;
#if MUTANT == 3
     areReservations(needed);
#endif
     asleep[waiterOf(k)] = true; /* (c) */
     ended = finished[k];
     if
     :: !ended ->
        /* Pool::sleep */
#if MUTANT == 10
        areReservations(needed);
        atomic {
          if
          :: needed && watch != onDuty -> watch = onDuty
          :: else -> needed = false
          fi
        }
#else
        if
        :: watch == onDuty -> needed = false /* (f) */
        :: else ->
#if MUTANT != 3
           areReservations(needed)
#else
           skip
#endif
        fi;
#endif
        if
        :: needed ->
           dozes[waiterOf(k)] = true;
           sleepForPeriod(waiterOf(k), over);
           dozes[waiterOf(k)] = false /* (d) */
        :: else ->
           futexWait(waiterOf(k));
           !inFutex[waiterOf(k)]
        fi;
        if
        :: over ->
           takeFrom(waiterOf(k), 0, (k == 0), found, seen, got);
#if KERNELS > 1
           takeFrom(waiterOf(k), 1, (k == 1), found, seen, got);
#endif
        :: else
        fi;
#if MUTANT == 10
        if
        :: needed -> watch = vacant
        :: else
        fi;
#endif
     :: else
     fi;
     asleep[waiterOf(k)] = false;
     if
     :: found != KERNELS ->
        (met == KERNELS || !last)
     :: else
     fi;
     d_step {
       found = 0; seen = 0; over = false; needed = false; got = false;
       last = false; ended = false
     }
  od;
  left--
}

proctype Clock() {
  byte i;
  bool any;
end:
  do
  :: atomic {
       timeout && left ->
       i = 0;
       do
       :: i == WATCHERS -> break
       :: else ->
          if
          :: timed[i] -> inFutex[i] = false; any = true
          :: else
          fi;
          i++
       od;
       assert(any);
       ticks++;
       assert(ticks <= TICKS);
       any = false
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
    :: i == KERNELS -> break
    :: else ->
       run Kernel(i); left++;
#ifdef WAITERS
       run Waiter(i); left++;
#endif
       i++
    od;
#ifdef JOB
    run Job();
#endif
    run Clock()
  }
}
