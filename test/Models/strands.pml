/*===- strands.pml - Model of the strands of an activation, for spin -*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The list of one activation's strands (Strand.cpp), whose neighbours are combined
 * when both have ended. What happens under the list's lock is atomic. Views are
 * combined while no thread holds the lock; that is two steps, so that another thread
 * can do something between them.
 *
 * The activation appends a strand for each of CHILDREN children, and a part of its own
 * behind each. A process runs each child. Each strand may have views or not. These
 * properties are checked:
 *
 *   - No two threads use the views of a strand at a time, and none uses those of a
 *     strand that has been removed or runs.
 *   - Views are combined in the order of the list.
 *   - When all have ended, everything has been combined: no strand is left to the sync.
 *
 *   holds     -DCHILDREN=1
 *   holds     -DCHILDREN=2
 *   holds     -DCHILDREN=3 -DPARTS=0
 *
 * Mutants, each to be found:
 *   mutant 1  -DCHILDREN=2           does not mark the left strand
 *   mutant 2  -DCHILDREN=2           does not mark the right strand
 *   mutant 3  -DCHILDREN=2           does not look at the neighbours again
 *   mutant 4  -DCHILDREN=2           combines with a strand that has not ended
 *   mutant 5  -DCHILDREN=3 -DPARTS=0 looks only to the left
 */
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef PARTS
#define PARTS 1
#endif

/* Strand 0 is the head, which counts as ended. */
#define STRANDS (1 + CHILDREN * (1 + PARTS))
#define NONE 255

bool locked;
bool ended[STRANDS], combines[STRANDS], hasViews[STRANDS], removed[STRANDS];
/* A thread uses the views. */
bool used[STRANDS];
/* The latest strand whose views are in these. */
byte upTo[STRANDS];
byte previous[STRANDS], next[STRANDS];
byte last = 0;
byte running = 0;

#define LOCK atomic { !locked -> locked = true }
#define UNLOCK locked = false

inline begin(strand) {
  assert(!used[strand] && !removed[strand] && (strand == 0 || ended[strand]));
  used[strand] = true
}

inline remove(strand) {
  assert(!used[strand] && !removed[strand]);
  removed[strand] = true;
  next[previous[strand]] = next[strand];
  if
  :: next[strand] != NONE -> previous[next[strand]] = previous[strand]
  :: else -> last = previous[strand]
  fi
}

/* combineWithPrevious: with the lock held, which it gives up in between. */
inline combine(right) {
  done = false;
  left = previous[right];
  if
  :: !ended[right] || combines[right] -> skip
  :: else ->
    if
    :: !hasViews[right] -> remove(right); done = true
    :: hasViews[right] && (combines[left] ||
                           (left != 0 && !ended[left] && MUTANT != 4)) -> skip
    :: else ->
      combines[left] = (MUTANT != 1);
      combines[right] = (MUTANT != 2);
      begin(left);
      begin(right);
      UNLOCK;
      /* The program's function runs. */
      LOCK;
      atomic {
        assert(upTo[left] < right);
        upTo[left] = upTo[right];
        hasViews[left] = true;
        used[left] = false;
        used[right] = false;
        combines[left] = false;
        assert(previous[right] == left);
        remove(right);
        done = true
      }
    fi
  fi
}

/* combineAround. */
inline end(own) {
  LOCK;
  ended[own] = true;
  strand = own;
  do
  :: done = false;
     before = (strand != 0 -> previous[strand] : 0);
     if
     :: strand != 0 -> combine(strand)
     :: else
     fi;
     if
     :: done && MUTANT != 3 -> strand = before
     :: done && MUTANT == 3 -> break
     :: else ->
       if
       :: next[strand] == NONE || MUTANT == 5 -> break
       :: else -> after = next[strand];
          combine(after);
          if
          :: done
          :: else -> break
          fi
       fi
     fi
  od;
  UNLOCK
}

inline use(own) {
  if
  :: hasViews[own] = true
  :: skip
  fi;
  upTo[own] = own
}

proctype Child(byte own) {
  byte strand, before, after, left;
  bool done;
  use(own);
  end(own);
  running--
}

inline append(own) {
  LOCK;
  previous[own] = last;
  next[own] = NONE;
  next[last] = own;
  last = own;
  UNLOCK
}

init {
  byte strand, before, after, left, child = 1;
  bool done;
  next[0] = NONE;
  do
  :: child < STRANDS ->
    append(child);
    running++;
    run Child(child);
    child++;
    if
    :: PARTS == 1 ->
      append(child);
      use(child);
      end(child);
      child++
    :: else
    fi
  :: else -> break
  od;
  running == 0;
  assert(next[0] == NONE && last == 0 && !combines[0])
}
