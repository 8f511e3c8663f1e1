// members-copied.c - Objects that are copied in part, or to where all can see.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Children that read them have each member by value, also those that nobody
// reads there but that go on as part of a copy.
// SANITIZE: yes

#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

// What only goes along: `along`, the padding behind it, and most of `text`.
struct record {
  int key, along;
  char text[5];
  long last;
};
static struct record kept[4];

static int keep_spawned(const struct record *given, int n) {
  if (n == 0) {
    kept[given->key & 3] = *given;
    return given->key;
  }
  struct record one = *given, two = *given;
  one.key = given->key * 2;
  two.key = given->key * 2 + 1;
  two.text[1] = given->text[0] + n;
  int a = cilk_spawn keep_spawned(&one, n - 1);
  int b = keep_spawned(&two, n - 1);
  cilk_sync;
  return a + b;
}

static int keep(const struct record *given, int n) {
  if (n == 0) {
    // All store the same.
    __atomic_store_n(&kept[given->key & 3].along, given->along,
                     __ATOMIC_RELAXED);
    return given->key;
  }
  int of[2];
  cilk_for (int i = 0; i < 2; i++) {
    struct record next = *given;
    next.key = 2 * next.key + i;
    of[i] = keep(&next, n - 1);
  }
  return of[0] + of[1];
}

__attribute__((noinline)) static long read_all(const struct record *r) {
  return r->key + r->along * 3L + r->text[4] * 5 + r->last;
}
static long hand_out(const struct record *given, int n) {
  if (n == 0) {
    struct record copy = *given;
    return read_all(&copy);
  }
  long of[3];
  cilk_for (int i = 0; i < 3; i++) {
    struct record next = *given;
    next.key += i;
    of[i] = hand_out(&next, n - 1);
  }
  return of[0] ^ of[1] << 1 ^ of[2] << 2;
}

// Structs in the object, assigned as a whole.
struct place {
  int x, y;
};
struct walker {
  struct place at, was;
  unsigned seen;
};
static int walk(const struct walker *w, int n) {
  static const struct place steps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  if (n == 0)
    return w->at.x * 5 + w->at.y - w->was.x * 2 - w->was.y;
  int of[4];
  cilk_for (int i = 0; i < 4; i++) {
    struct place to = {w->at.x + steps[i].x, w->at.y + steps[i].y};
    of[i] = 0;
    if (to.x >= 0 && to.x < 5 && to.y >= 0 && to.y < 5 &&
        !(w->seen >> (to.x * 5 + to.y) & 1)) {
      struct walker next = *w;
      next.was = w->at;
      next.at = to;
      next.seen |= 1u << (to.x * 5 + to.y);
      of[i] = walk(&next, n - 1);
    }
  }
  return of[0] + of[1] * 2 + of[2] * 3 + of[3] * 4;
}

// Copies to elsewhere in the object, and to where they are.
struct inner {
  int first, rest[3];
};
struct outer {
  int key;
  struct inner of[2];
  int last;
};
static unsigned shift(const struct outer *o, int n) {
  if (n == 0)
    return o->key + o->of[0].first * 2 + o->of[1].rest[2] * 3 + o->last * 5 +
           o->of[0].rest[1] * 7;
  unsigned of[3];
  cilk_for (int i = 0; i < 3; i++) {
    struct outer next;
    memcpy(&next, o, sizeof next);
    if (i == 1)
      memcpy(&next, &(struct outer){9, {{1, {2, 3, 4}}, {5, {6, 7, 8}}}, 11},
             12);
    next.of[i & 1].rest[(n + i) % 3] += i + n;
    next.of[1] = i == 2 ? o->of[0] : next.of[1];
    memcpy(&next.of[0].rest[1], &o->of[1].first, 8);
    if (i == 0)
      memset(&next.of[1].rest[1], 0, 8);
    ++next.last;
    of[i] = shift(&next, n - 1);
  }
  return of[0] * 3 + of[1] * 5 + of[2] * 7;
}

// Parts of one size that are not in step with each other.
struct __attribute__((packed)) odd {
  short before;
  int middle;
  short behind;
};
struct overlaid {
  int row;
  union {
    int word[2];
    struct odd odd;
  };
};
static unsigned overlay(const struct overlaid *o, int n) {
  if (n == 0)
    return o->row * 3u + o->word[0] * 5u + o->word[1] * 7u + o->odd.middle;
  unsigned of[4];
  cilk_for (int i = 0; i < 4; i++) {
    struct overlaid next = *o;
    next.row += i;
    next.word[i & 1] += n * 70001 + i;
    next.odd.middle ^= i * 1000003;
    of[i] = overlay(&next, n - 1);
  }
  return of[0] + of[1] * 3 + of[2] * 5 + of[3] * 7;
}

static void show(void) {
  for (int i = 0; i < 4; i++)
    printf("%d %d %d %d %ld\n", kept[i].key & 3, kept[i].along, kept[i].text[0],
           kept[i].text[4], kept[i].last);
}

int main(void) {
  struct record record = {1, 77, {1, 2, 3, 4, 5}, 1234567890123};
  struct walker walker = {{2, 2}, {2, 2}, 1u << 12};
  struct outer outer = {1, {{2, {3, 4, 5}}, {6, {7, 8, 9}}}, 10};
  printf("%d\n", keep_spawned(&record, 2));
  show();
  record.along = 78;
  printf("%d\n", keep(&record, 9));
  show();
  printf("%ld\n", hand_out(&record, 6));
  printf("%d\n", walk(&walker, 11));
  printf("%u\n", shift(&outer, 6));
  struct overlaid overlaid = {1, {{2, 3}}};
  printf("%u\n", overlay(&overlaid, 6));
  return 0;
}
