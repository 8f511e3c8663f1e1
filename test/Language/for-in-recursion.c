// for-in-recursion.c - Parallel loops whose iterations come to them again.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where an iteration does nothing behind such a call but store its result, it
// is spawned by the loop's function.
// SANITIZE: yes

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned mix(unsigned seed, unsigned more) {
  seed = (seed ^ more) * 0x9e3779b1u;
  return seed ^ seed >> 15;
}

// Some iterations have nothing to call.
static unsigned some(int depth, int n, unsigned seed) {
  if (depth == 0)
    return seed & 15;
  unsigned got[n + 1];
  got[n] = seed;
  cilk_for (int i = 0; i < n; i++) {
    got[i] = 0;
    if (seed >> i & 1)
      got[i] = some(depth - 1, n, mix(seed, i));
  }
  unsigned sum = 1;
  for (int i = 0; i <= n; i++)
    sum += got[i];
  return sum;
}

// In order, of other types and steps, and none at all.
#define LOOP(name, type, index, begin, condition, step)                        \
  static type name(int depth, unsigned seed) {                                 \
    type got[12] = {0};                                                        \
    if (depth == 0)                                                            \
      return (type)(seed % 101);                                               \
    index n = (index)(seed % 5);                                               \
    cilk_for (index i = begin; condition; step)                                \
      got[i] = name(depth - 1, mix(seed, (unsigned)i));                        \
    type sum = (type)n;                                                        \
    for (int i = 0; i < 12; i++)                                               \
      sum = (type)(sum * 3 + got[i]);                                          \
    return sum;                                                                \
  }
LOOP(up, unsigned, int, 0, i < n, i++)
LOOP(down, unsigned char, int, n, i > 0, i--)
LOOP(twos, unsigned short, long, 1, i <= n, i += 2)
LOOP(bytes, double, unsigned char, 0, i < n, ++i)
LOOP(until, float, unsigned, 2, i != n + 2, i++)
LOOP(backwards, unsigned long, long, n, i >= 1, i -= 3)

// The end is looked at once.
struct node {
  int count, value;
  struct node *children;
  long sum;
};

static void fill(struct node *node, int depth, unsigned *seed) {
  *seed = mix(*seed, 7);
  node->value = *seed % 100;
  node->count = depth ? *seed % 4 : 0;
  node->children =
      node->count ? calloc(node->count, sizeof *node->children) : NULL;
  for (int i = 0; i < node->count; i++)
    fill(&node->children[i], depth - 1, seed);
}

static void drop(struct node *node) {
  for (int i = 0; i < node->count; i++)
    drop(&node->children[i]);
  free(node->children);
}

static void add(struct node *node) {
  cilk_for (int i = 0; i < node->count; i++)
    add(&node->children[i]);
  node->sum = node->value;
  for (int i = 0; i < node->count; i++)
    node->sum = node->sum * 3 % 1000003 + node->children[i].sum;
}

static struct node *largest(struct node *node) {
  struct node *found[4];
  cilk_for (int i = 0; i < node->count; i++)
    found[i] = largest(&node->children[i]);
  struct node *best = node;
  for (int i = 0; i < node->count; i++)
    if (found[i]->value > best->value)
      best = found[i];
  return best;
}

// Nested, the inner one's end another each time.
static unsigned triangle(int depth, unsigned seed) {
  unsigned got[4][4] = {{0}};
  if (depth == 0)
    return seed & 255;
  cilk_for (int i = 0; i < 4; i++)
    cilk_for (int j = 0; j < i; j++)
      got[i][j] = triangle(depth - 1, mix(seed, 4 * i + j));
  unsigned sum = 0;
  for (int i = 0; i < 16; i++)
    sum = sum * 5 + got[i / 4][i % 4];
  return sum;
}

// By way of another, and two loops one after the other.
static unsigned first(int depth, unsigned seed);
static unsigned second(int depth, unsigned seed) {
  unsigned got[3];
  cilk_for (int i = 0; i < 3; i++)
    got[i] = first(depth, mix(seed, i));
  unsigned again[2];
  cilk_for (int i = 0; i < 2; i++)
    again[i] = first(depth, mix(got[i], i + 5));
  return got[0] + 3 * got[1] + 5 * got[2] + again[0] - again[1];
}
static unsigned first(int depth, unsigned seed) {
  if (depth == 0)
    return seed & 7;
  return 1 + second(depth - 1, seed);
}

// What is computed of a result, in other types, and where only some have one.
#define COMPUTED(name, type, index, condition, computed)                       \
  static type name(int depth, unsigned seed) {                                 \
    type got[5] = {0};                                                         \
    if (depth == 0)                                                            \
      return (type)(seed % 101);                                               \
    index n = (index)(seed % 6);                                               \
    cilk_for (index i = 0; i < n; i++) {                                       \
      if (condition) {                                                         \
        type result = name(depth - 1, mix(seed, (unsigned)i));                 \
        got[i] = computed;                                                     \
      }                                                                        \
    }                                                                          \
    type sum = 0;                                                              \
    for (int i = 0; i < 5; i++)                                                \
      sum = sum * 3 > got[i] ? sum * 3 : got[i];                               \
    return sum;                                                                \
  }
COMPUTED(negated, int, int, 1, -result / 2)
COMPUTED(complement, unsigned char, long, seed >> i & 1, ~result - 3 * i)
COMPUTED(halved, double, unsigned, i != 2, 0.5 * result + i)
COMPUTED(selected, short, unsigned char, depth > 1 || i,
         result > 7 ? i : result)

// Where others have another value.
static unsigned chosen(int depth, unsigned seed) {
  unsigned got[4];
  if (depth == 0)
    return seed & 31;
  cilk_for (int i = 0; i < 4; i++)
    got[i] = seed >> i & 1 ? chosen(depth - 1, mix(seed, i)) : 0;
  return got[0] + got[1] + got[2] + got[3] + 1;
}

static unsigned chosen_last(int depth, unsigned seed) {
  unsigned got[5];
  if (depth == 0)
    return seed & 31;
  cilk_for (int i = 0; i < 5; i++)
    got[i] =
        i * depth % 3 ? seed ^ i : 2 * chosen_last(depth - 1, mix(seed, i));
  unsigned sum = 0;
  for (int i = 0; i < 5; i++)
    sum = sum * 5 + got[i];
  return sum;
}

static long lightest(const struct node *node) {
  long got[4];
  cilk_for (int i = 0; i < 4; i++)
    if (i < node->count)
      got[i] = lightest(&node->children[i]);
    else
      got[i] = 0;
  long most = node->value % 7;
  for (int i = 0; i < 4; i++)
    most += got[i];
  return most;
}

// What is computed of the result alone, where memory says who has one.
static int height(const struct node *node, const unsigned char *wanted) {
  int got[4];
  cilk_for (int i = 0; i < 4; i++)
    got[i] = wanted[node->count] > i && i < node->count
                 ? 1 + height(&node->children[i], wanted)
                 : 0;
  int most = 0;
  for (int i = 0; i < 4; i++)
    most = most > got[i] ? most : got[i];
  return most + (node->value & 1);
}

static int narrow(int depth, unsigned seed) {
  unsigned char got[4];
  if (depth == 0)
    return (int)(seed % 1000);
  cilk_for (int i = 0; i < 4; i++)
    got[i] = narrow(depth - 1, mix(seed, i));
  return got[0] * 3 + got[1] * 5 - got[2] + got[3];
}

static float truth(int depth, unsigned seed) {
  _Bool got[3] = {1, 0, 1};
  if (depth == 0)
    return (float)(seed & 3) / 2;
  cilk_for (int i = 0; i < 3; i++)
    if (seed >> i & 1)
      got[i] = truth(depth - 1, mix(seed, i)) > 0.5f;
  return 0.25f * got[0] + 0.5f * got[1] + got[2];
}

// What iterations do ahead of the call is done once.
static _Atomic unsigned counted;
static unsigned count(int depth, unsigned seed) {
  unsigned got[3], some[3][2];
  if (depth == 0)
    return seed & 7;
  cilk_for (int i = 0; i < 3; i++) {
    counted++;
    some[i][0] = some[i][1] = seed;
    __builtin_memset(some[i], i, 1);
    got[i] = 9 - count(depth - 1, mix(seed, i));
  }
  return got[0] + got[1] * 3 + got[2] * 5 + some[2][0] + some[1][1];
}

// A child may change what says whether it is called.
static unsigned once(int depth, unsigned seed, unsigned char *wanted) {
  unsigned got[4] = {0};
  unsigned char next[4] = {seed & 1, 1, seed & 2, seed & 4};
  *wanted = !*wanted;
  if (depth == 0)
    return seed & 31;
  cilk_for (int i = 0; i < 4; i++)
    if (next[i])
      got[i] = 7 * once(depth - 1, mix(seed, i), &next[i]) + i;
  return got[0] + got[1] * 3 + got[2] * 5 + got[3] * 7 + next[0] + next[1];
}

// What the children of a node are, and a struct that only iterations see.
static long weight(const struct node *node) {
  long got[4];
  cilk_for (int i = 0; i < node->count; i++)
    got[i] = 3 * weight(&node->children[i]) - i;
  long sum = node->value;
  for (int i = 0; i < node->count; i++)
    sum ^= got[i] * 2;
  return sum;
}

struct state {
  unsigned long a, b;
};
static int best(struct state s, int depth) {
  if (depth == 0)
    return (int)((s.a ^ s.b) % 100);
  int got[4];
  cilk_for (int i = 0; i < 4; i++) {
    struct state next = {s.a * 3 + i, s.b ^ s.a >> i};
    got[i] = 100 - best(next, depth - 1);
  }
  int most = got[0];
  for (int i = 1; i < 4; i++)
    if (got[i] > most)
      most = got[i];
  return most;
}

// What comes behind the call waits for it, and an object is each iteration's.
static unsigned behind(int depth, unsigned seed) {
  unsigned got[3], last[3];
  if (depth == 0)
    return seed & 127;
  cilk_for (int i = 0; i < 3; i++) {
    got[i] = behind(depth - 1, mix(seed, i));
    last[i] = got[i] * 2 + 1;
  }
  return got[0] + last[1] * 3 + last[2] - got[2];
}

static unsigned own(int depth, const unsigned *seeds) {
  unsigned got[3];
  if (depth == 0)
    return seeds[0] ^ seeds[1];
  cilk_for (int i = 0; i < 3; i++) {
    unsigned some[2] = {mix(seeds[0], i), seeds[1] + i};
    got[i] = own(depth - 1, some);
  }
  return got[0] * 7 + got[1] * 3 + got[2];
}

// In a loop of the iteration's, whose calls are one after the other.
static unsigned inside(int depth, unsigned seed) {
  unsigned got[3] = {0};
  if (depth == 0)
    return seed;
  cilk_for (int i = 0; i < 1; i++)
    for (int j = 0; j < 3; j++)
      got[j] = inside(depth - 1, mix(seed, got[0] + got[1]));
  return got[0] + got[1] * 31 + got[2] * 17;
}

// A wide one, of which each iteration has a few more.
static unsigned wide(int depth, unsigned n, unsigned seed) {
  if (depth == 0)
    return seed & 3;
  unsigned *got = malloc(n * sizeof *got);
  cilk_for (unsigned i = 0; i < n; i++)
    got[i] = wide(depth - 1, 3, mix(seed, i));
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum = sum * 31 + got[i];
  free(got);
  return sum;
}

int main(void) {
  for (int depth = 0; depth < 6; depth++) {
    unsigned seed = mix(depth, 99);
    unsigned seeds[2] = {seed, 5};
    printf("%d: %u %u %u %u %.17g %.9g %lu\n", depth, some(depth, 7, seed),
           up(depth, seed), down(depth, seed), twos(depth, seed),
           bytes(depth, seed), until(depth, seed), backwards(depth, seed));
    printf("  %u %u %u %u %u %u\n", triangle(depth, seed), first(depth, seed),
           inside(depth, seed), behind(depth, seed), own(depth, seeds),
           wide(depth, 500, seed));
    unsigned char wanted = 1;
    struct state state = {seed, depth};
    printf("  %d %u %.17g %d %u %d %d\n", negated(depth, seed),
           complement(depth, seed), halved(depth, seed), selected(depth, seed),
           once(depth, seed, &wanted), wanted, best(state, depth));
    counted = 0;
    printf("  %u", count(depth, seed));
    printf(" %u\n", counted);
    printf("  %u %u %d %.9g\n", chosen(depth, seed), chosen_last(depth, seed),
           narrow(depth, seed), truth(depth, seed));
  }
  unsigned seed = 5;
  struct node root;
  fill(&root, 12, &seed);
  add(&root);
  printf("%d ", height(&root, (const unsigned char[]){9, 1, 2, 3, 2}));
  printf("%ld %d %ld %ld\n", root.sum, largest(&root)->value, weight(&root),
         lightest(&root));
  drop(&root);
  return 0;
}
