//===- backprop.c - Training a neural network ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One step of backward propagation, with 16 hidden units and one output.
// `layerforward` sums up, in each thread, 16 weighted inputs of one hidden
// unit; `adjust_weights` moves each weight between the two layers against its
// error.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Hidden = 16, Part = 16 };

static const float learning_rate = 0.3f, momentum = 0.3f, wanted = 0.1f;

/* The weight of input i for hidden unit h is number i * Hidden + h. */
static void layerforward(const float *inputs, const float *weights,
                         float *partial, int count) {
  cilk_for (int thread = 0; thread < count / Part * Hidden; ++thread) {
    int first = thread / Hidden * Part, unit = thread % Hidden;
    float sum = 0;
    for (int i = first; i < first + Part; ++i)
      sum += inputs[i] * weights[(long)i * Hidden + unit];
    partial[thread] = sum;
  }
}

static void adjust_weights(const float *inputs, const float *errors,
                           float *weights, float *changes, int count) {
  cilk_for (long i = 0; i < (long)count * Hidden; ++i) {
    float change = learning_rate * errors[i % Hidden] * inputs[i / Hidden] +
                   momentum * changes[i];
    weights[i] += change;
    changes[i] = change;
  }
}

static float squash(float x) { return 1 / (1 + expf(-x)); }

/* The hidden units' errors, from their values and their weights for the output.
 */
static void hidden_errors(const float *values, const float *output_weights,
                          float *errors) {
  float sum = 0;
  for (int h = 0; h < Hidden; ++h)
    sum += values[h] * output_weights[h];
  float output = squash(sum), error = output * (1 - output) * (wanted - output);
  for (int h = 0; h < Hidden; ++h)
    errors[h] = values[h] * (1 - values[h]) * error * output_weights[h];
}

static void reference(const float *inputs, const float *output_weights,
                      float *weights, float *changes, int count) {
  float values[Hidden], errors[Hidden];
  for (int h = 0; h < Hidden; ++h) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += (double)inputs[i] * weights[(long)i * Hidden + h];
    values[h] = squash((float)sum);
  }
  hidden_errors(values, output_weights, errors);
  for (int h = 0; h < Hidden; ++h)
    for (int i = 0; i < count; ++i) {
      long at = (long)i * Hidden + h;
      changes[at] =
          learning_rate * errors[h] * inputs[i] + momentum * changes[at];
      weights[at] += changes[at];
    }
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 65536, 512, Part, 10000000);
  CHECK(count % Part == 0);
  size_t size = (size_t)count * Hidden, bytes = size * sizeof(float);
  float scale = 1 / sqrtf((float)count);
  float *inputs = random_floats(1, count, 0, 1);
  float *weights = random_floats(2, size, -scale, scale);
  float *changes = random_floats(3, size, -scale, scale);
  float *output_weights = random_floats(4, Hidden, -1, 1);
  float *partial = allocate(count / Part * Hidden, sizeof(float));
  float *expected = allocate(1, bytes), *expected_changes = allocate(1, bytes);
  memcpy(expected, weights, bytes);
  memcpy(expected_changes, changes, bytes);

  float values[Hidden], errors[Hidden];
  layerforward(inputs, weights, partial, count);
  for (int h = 0; h < Hidden; ++h) {
    float sum = 0;
    for (int part = 0; part < count / Part; ++part)
      sum += partial[part * Hidden + h];
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
  free(expected), free(expected_changes);
  return report("backprop", count, sum);
}
