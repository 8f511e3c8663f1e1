//===- countdown.c - The numbers game -----------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The game with six numbers and a target: any two numbers become their sum,
// difference, product or quotient, until one is left or is near enough. Prints
// how near one can come to each of some targets. The argument is how many
// targets there are. The file countdown_helper.c has the rules.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

#define NUMBERS 6
#define OPERATORS 4

int apply(int operator_, int a, int b, int *result);
void deal(int game, int numbers[], int count, int *target);

static int nearest(const int *numbers, int count, int target) {
  int best = abs(numbers[0] - target);
  for (int i = 1; i < count; i++) {
    int d = abs(numbers[i] - target);
    if (d < best)
      best = d;
  }
  if (count == 1 || best == 0)
    return best;

  int tries = count * (count - 1) / 2 * OPERATORS;
  int rest[tries][count - 1];
  int distance[tries];
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      for (int op = 0; op < OPERATORS; op++) {
        int value;
        if (!apply(op, numbers[i], numbers[j], &value))
          continue;
        int length = 0;
        rest[n][length++] = value;
        for (int k = 0; k < count; k++)
          if (k != i && k != j)
            rest[n][length++] = numbers[k];
        distance[n] = cilk_spawn nearest(rest[n], length, target);
        n++;
      }
  cilk_sync;

  for (int i = 0; i < n; i++)
    if (distance[i] < best)
      best = distance[i];
  return best;
}

int main(int argc, char **argv) {
  int games = (int)first_argument(argc, argv, 40, 1);
  int numbers = argc > 1 && !strcmp(argv[1], "quick") ? 4 : NUMBERS;
  int *distances = malloc(games * sizeof(int));
  CHECK(distances);

  stopwatch watch = stopwatch_start();
  for (int game = 0; game < games; game++) {
    int hand[NUMBERS], target;
    deal(game, hand, numbers, &target);
    distances[game] = nearest(hand, numbers, target);
  }
  stopwatch_stop(watch);

  for (int game = 0; game < games; game++)
    printf("%d%c", distances[game], game < games - 1 ? ' ' : '\n');
  free(distances);
  return 0;
}
