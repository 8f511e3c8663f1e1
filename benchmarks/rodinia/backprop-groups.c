//===- backprop-groups.c - Training a network, by work-groups -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// backprop.c in the structure and data layout of Rodinia's CUDA program: an
// iteration of an outer loop is a thread block of 16 x 16 threads, and the end
// of an inner loop is a barrier. Input 0 and hidden unit 0 are biases, so rows
// of weights have 17 numbers. `layerforward` sums up in a tree, and leaves
// partial sums in its copy of the weights, as Rodinia's does.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Hidden = 16, Part = 16, Row = Hidden + 1 };

static const float learning_rate = 0.3f, momentum = 0.3f, wanted = 0.1f;

/* The weight of input i for hidden unit h is number i * Row + h. */
static void layerforward(const float *inputs, float *weights, float *partial,
                         int count) {
  cilk_for (int block = 0; block < count / Part; ++block) {
    float input[Part], matrix[Part][Hidden];
    const float *own_inputs = inputs + (long)block * Part + 1;
    float *own_weights = weights + (long)(block * Part + 1) * Row + 1;
    float *own_partial = partial + (long)block * Hidden;
    cilk_for (int t = 0; t < Part * Hidden; ++t)
      if (t % Hidden == 0)
        input[t / Hidden] = own_inputs[t / Hidden];
    cilk_for (int t = 0; t < Part * Hidden; ++t)
      matrix[t / Hidden][t % Hidden] =
          own_weights[(long)(t / Hidden) * Row + t % Hidden];
    cilk_for (int t = 0; t < Part * Hidden; ++t)
      matrix[t / Hidden][t % Hidden] *= input[t / Hidden];
    for (int step = 2; step <= Part; step *= 2)
      cilk_for (int t = 0; t < Part * Hidden; ++t)
        if (t / Hidden % step == 0)
          matrix[t / Hidden][t % Hidden] +=
              matrix[t / Hidden + step / 2][t % Hidden];
    cilk_for (int t = 0; t < Part * Hidden; ++t)
      own_weights[(long)(t / Hidden) * Row + t % Hidden] =
          matrix[t / Hidden][t % Hidden];
    cilk_for (int t = 0; t < Part * Hidden; ++t)
      if (t % Hidden == 0)
        own_partial[t / Hidden] = matrix[0][t / Hidden];
  }
}

/* The first block also adjusts the weights of the bias. */
static void adjust_weights(const float *inputs, const float *errors,
                           float *weights, float *changes, int count) {
  cilk_for (int block = 0; block < count / Part; ++block) {
    long first = (long)block * Part + 1;
    int is_first = block == 0;
    cilk_for (int t = 0; t < Part * Hidden; ++t) {
      long i = first + t / Hidden, at = i * Row + t % Hidden + 1;
      float change = learning_rate * errors[t % Hidden + 1] * inputs[i] +
                     momentum * changes[at];
      weights[at] += change;
      changes[at] = change;
    }
    cilk_for (int t = 0; t < Part * Hidden; ++t)
      if (t < Hidden && is_first) {
        float change =
            learning_rate * errors[t + 1] + momentum * changes[t + 1];
        weights[t + 1] += change;
        changes[t + 1] = change;
      }
  }
}

static float squash(float x) { return 1 / (1 + expf(-x)); }

/* The hidden units' errors, from their values and their weights for the output.
   Unit 0 is the bias. */
static void hidden_errors(const float *values, const float *output_weights,
                          float *errors) {
  float sum = 0;
  for (int h = 1; h < Row; ++h)
    sum += values[h] * output_weights[h];
  float output = squash(sum), error = output * (1 - output) * (wanted - output);
  for (int h = 1; h < Row; ++h)
    errors[h] = values[h] * (1 - values[h]) * error * output_weights[h];
}

static void reference(const float *inputs, const float *output_weights,
                      float *weights, float *changes, int count) {
  float values[Row], errors[Row];
  for (int h = 1; h < Row; ++h) {
    double sum = 0;
    for (int i = 0; i <= count; ++i)
      sum += (double)inputs[i] * weights[(long)i * Row + h];
    values[h] = squash((float)sum);
  }
  hidden_errors(values, output_weights, errors);
  for (int h = 1; h < Row; ++h)
    for (int i = 0; i <= count; ++i) {
      long at = (long)i * Row + h;
      changes[at] =
          learning_rate * errors[h] * inputs[i] + momentum * changes[at];
      weights[at] += changes[at];
    }
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 65536, 512, Part, 10000000);
  CHECK(count % Part == 0);
  size_t size = (size_t)(count + 1) * Row, bytes = size * sizeof(float);
  float scale = 1 / sqrtf((float)count);
  float *inputs = random_floats(1, (size_t)count + 1, 0, 1);
  inputs[0] = 1;
  float *weights = random_floats(2, size, -scale, scale);
  float *changes = random_floats(3, size, -scale, scale);
  float *output_weights = random_floats(4, Row, -1, 1);
  float *partial = allocate(count / Part * Hidden, sizeof(float));
  float *copy = allocate(1, bytes);
  float *expected = allocate(1, bytes), *expected_changes = allocate(1, bytes);
  memcpy(copy, weights, bytes);
  memcpy(expected, weights, bytes);
  memcpy(expected_changes, changes, bytes);

  float values[Row] = {1}, errors[Row] = {0};
  layerforward(inputs, copy, partial, count);
  for (int h = 1; h < Row; ++h) {
    float sum = weights[h];
    for (int part = 0; part < count / Part; ++part)
      sum += partial[part * Hidden + h - 1];
    values[h] = squash(sum);
  }
  hidden_errors(values, output_weights, errors);
  adjust_weights(inputs, errors, weights, changes, count);

  reference(inputs, output_weights, expected, expected_changes, count);
  check_floats("weights", weights, expected, size, 1e-6f);
  check_floats("changes", changes, expected_changes, size, 1e-6f);
  uint64_t sum = checksum(weights, bytes) ^ checksum(values, sizeof values);
  free(inputs), free(weights), free(changes), free(output_weights),
      free(partial);
  free(copy), free(expected), free(expected_changes);
  return report("backprop-groups", count, sum);
}
