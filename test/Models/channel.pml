/*===- channel.pml - Model of the lock-free channel, for spin -----*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The protocol of runtime/chan/src/Channel.h (Orr et al., ISCA 2014, section 3.2),
 * one statement per atomic operation, sequentially consistent: orders of steps, not
 * memory orders (those are the stress test's under ThreadSanitizer).  Names are
 * those of Channel.cpp.
 *
 * PRODUCERS producers make BATCHES batches of N elements each, CONSUMERS consumers
 * take and free them.  An element's payload is two words, written and read one by
 * one.  Checked:
 *   - a consumer finds the two words equal and the element's serial number not seen
 *     before: each once, whole, and not refilled before it was freed;
 *   - an entry is never overwritten while its element is alive (C3), and the five
 *     indices keep their order (C1);
 *   - at the end all are taken, the control tail has reached reserveTail (C5), and
 *     all room is free.  A publication that was forgotten leaves the consumers
 *     without an end: an invalid end state.
 *
 * Two laps of the data array; contending consumers; batches:
 *   holds    -DPRODUCERS=2 -DBATCHES=2 -DCONSUMERS=1 -DCAPACITY=2
 *   holds    -DPRODUCERS=2 -DBATCHES=1 -DCONSUMERS=2 -DCAPACITY=1
 *   holds    -DPRODUCERS=2 -DBATCHES=1 -DCONSUMERS=1 -DN=2 -DCAPACITY=4
 *
 * Mutants, each to be found; for the last, the protocol has too many states:
 *   mutant 1 -DPRODUCERS=2 -DBATCHES=1 -DCONSUMERS=1 -DN=2 -DCAPACITY=4
 *            moves the tail before the entry is written
 *   mutant 2 -DPRODUCERS=2 -DBATCHES=1 -DCONSUMERS=2 -DCAPACITY=1
 *            enqueues before the payload is complete
 *   mutant 3 -DPRODUCERS=2 -DBATCHES=2 -DCONSUMERS=1 -DCAPACITY=2
 *            leaves after one attempt to move the tail
 *   mutant 4 -DPRODUCERS=2 -DBATCHES=2 -DCONSUMERS=1 -DCAPACITY=2
 *            frees before the payload is read
 *   mutant 5 -DPRODUCERS=2 -DBATCHES=2 -DCONSUMERS=2 -DCAPACITY=2
 *            gives the control array the length of the data array
 */
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef BATCHES
#define BATCHES 2
#endif
#ifndef N
#define N 1
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef MUTANT
#define MUTANT 0
#endif

#define ELEMENTS (PRODUCERS * BATCHES * N)
#if MUTANT == 5
#define CONTROL CAPACITY
#else
#define CONTROL (2 * CAPACITY)
#endif

byte dataTail, dataHead, reserveTail, controlTail, controlHead;

/* A group is one element here.  The count of a slot is the number of laps done. */
byte doneCount[CAPACITY];

/* Entries: the lap's tag, 0 when never written, and the element's offset. */
byte tag[CONTROL];
byte offset[CONTROL];

/* The payload, as serial numbers from 1. */
byte first[CAPACITY];
byte second[CAPACITY];

bool seen[ELEMENTS];
byte taken;

/* Ghosts: what an entry still stands for, to check C3. */
bool entryAlive[CONTROL];
byte entryOf[CAPACITY];

#define tagAt(position) ((position) / CONTROL + 1)

/* reclaim(): moves the data head past what is done. */
inline reclaim() {
  do
  :: atomic { head = dataHead; }
     if
     :: doneCount[head % CAPACITY] == head / CAPACITY + 1 ->
        atomic {
          if
          :: dataHead == head -> dataHead = head + 1;
          :: else
          fi
        }
     :: else -> break
     fi
  od
}

proctype Producer(byte self) {
  byte batch, i, index, head, tail, position, end;
  bool got;
  do
  :: batch == BATCHES -> break
  :: else ->
     /* talloc(N), by blocking until a CAS that finds room succeeds: what the model
        leaves out is only the retries.  N divides CAPACITY, so none wraps. */
     atomic {
       dataTail + N - dataHead <= CAPACITY;
       index = dataTail % CAPACITY;
       dataTail = dataTail + N;
     }
     i = 0;
     do
     :: i == N -> break
     :: else ->
        first[index + i] = (self * BATCHES + batch) * N + i + 1;
#if MUTANT != 2
        second[index + i] = (self * BATCHES + batch) * N + i + 1;
#endif
        i++
     od;
     /* enq: reserve, entries from the last to the first, publish. */
     atomic { position = reserveTail; reserveTail = reserveTail + N; }
#if MUTANT == 1
     atomic { controlTail == position -> controlTail = position + N; }
#endif
     i = N;
     do
     :: i == 0 -> break
     :: else ->
        i--;
        atomic {
          assert(!entryAlive[(position + i) % CONTROL]);
          entryAlive[(position + i) % CONTROL] = true;
          entryOf[index + i] = (position + i) % CONTROL;
          tag[(position + i) % CONTROL] = tagAt(position + i);
          offset[(position + i) % CONTROL] = index + i;
        }
     od;
#if MUTANT != 1
     tail = controlTail;
     do
     :: end = tail;
        do
        :: tag[end % CONTROL] == tagAt(end) -> end++
        :: else -> break
        od;
        if
        :: end == tail -> break
        :: else ->
           atomic {
             got = (controlTail == tail);
             if
             :: got -> controlTail = end; tail = end;
             :: else -> tail = controlTail;
             fi
           }
#if MUTANT == 3
           break
#endif
        fi
     od;
#endif
#if MUTANT == 2
     i = 0;
     do
     :: i == N -> break
     :: else ->
        second[index + i] = (self * BATCHES + batch) * N + i + 1;
        i++
     od;
#endif
     /* Fewer states: what is dead is always 0. */
     skip;
     d_step { i = 0; index = 0; head = 0; tail = 0; position = 0; end = 0;
              got = false; batch++ }
  od
}

proctype Consumer() {
  byte head, tail, index, one, two;
  bool got;
  do
  :: taken == ELEMENTS -> break
  :: atomic { controlHead != controlTail -> head = controlHead; }
     tail = controlTail;
     assert(head <= tail && tail <= reserveTail);
     if
     :: head == tail -> goto again
     :: else
     fi;
     atomic {
       got = (controlHead == head);
       if
       :: got -> controlHead = head + 1;
       :: else
       fi
     }
     if
     :: !got -> goto again
     :: else
     fi;
     index = offset[head % CONTROL];
#if MUTANT == 4
     atomic { entryAlive[entryOf[index]] = false; doneCount[index]++; }
     reclaim();
#endif
     one = first[index];
     two = second[index];
     atomic {
       assert(one == two && one > 0 && !seen[one - 1]);
       seen[one - 1] = true;
     }
#if MUTANT != 4
     atomic { entryAlive[entryOf[index]] = false; doneCount[index]++; }
     reclaim();
#endif
     atomic { taken++; }
again:
     skip;
     d_step { head = 0; tail = 0; index = 0; one = 0; two = 0; got = false }
  od
}

init {
  byte i;
  atomic {
    do
    :: i == PRODUCERS -> break
    :: else -> run Producer(i); i++
    od;
    i = 0;
    do
    :: i == CONSUMERS -> break
    :: else -> run Consumer(); i++
    od
  }
  (_nr_pr == 1);
  assert(taken == ELEMENTS && controlTail == reserveTail);
  assert(controlHead == controlTail && dataHead == dataTail);
}
