//===- GetOptions.cpp - Options of Cilk-5's examples ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In an object of its own, since most programs define a function of that name.
//===----------------------------------------------------------------------===//

#include <getoptions.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

/// Position of `word` among the null-terminated `words`, or -1.
int positionOf(const char *word, const char *const *words) {
  for (int i = 0; words[i]; ++i)
    if (strcmp(words[i], word) == 0)
      return i;
  return -1;
}

constexpr const char *kSizes[] = {"short", "medium", "long", nullptr};

bool isFlag(int type) { return type == BOOLARG || type == BENCHMARK; }

/// An option as given.
struct Option {
  int index = -1;             // among the specifiers; -1 if it is none
  const char *word = nullptr; // that belongs to it, or null
};

class CommandLine {
public:
  CommandLine(int argc, char **argv, char **specifiers, const int *types)
      : argc(argc), argv(argv), specifiers(specifiers), types(types) {}

  /// The option at argv[i]; `i` moves to its last argument.
  Option at(int &i) const;

private:
  int argc;
  char **argv;
  char **specifiers;
  const int *types;
};

} // namespace

Option CommandLine::at(int &i) const {
  int index = positionOf(argv[i], specifiers);
  if (index < 0)
    return {};
  const char *next = i + 1 < argc ? argv[i + 1] : nullptr;
  bool takes = types[index] == BENCHMARK ? next && positionOf(next, kSizes) >= 0
                                         : types[index] != BOOLARG;
  if (!takes)
    return {index, nullptr};
  if (!next)
    return {};
  ++i;
  return {index, next};
}

static void assign(int type, void *variable, const char *word) {
  switch (type) {
  case INTARG:
    *static_cast<int *>(variable) = atoi(word);
    break;
  case LONGARG:
    *static_cast<long *>(variable) = atol(word);
    break;
  case DOUBLEARG:
    *static_cast<double *>(variable) = atof(word);
    break;
  case STRINGARG:
    strcpy(static_cast<char *>(variable), word);
    break;
  case BOOLARG:
    *static_cast<int *>(variable) = 1;
    break;
  case BENCHMARK:
    *static_cast<int *>(variable) = word ? positionOf(word, kSizes) + 1 : 2;
    break;
  }
}

void get_options(int argc, char *argv[], char *specifiers[], int *types, ...) {
  CommandLine line(argc, argv, specifiers, types);
  va_list variables;
  va_start(variables, types);
  for (int index = 0; specifiers[index]; ++index) {
    void *variable = va_arg(variables, void *);
    if (isFlag(types[index]))
      *static_cast<int *>(variable) = 0;
    for (int i = 1; i < argc; ++i)
      if (Option option = line.at(i); option.index == index)
        assign(types[index], variable, option.word);
  }
  va_end(variables);
  for (int i = 1; i < argc; ++i)
    if (line.at(i).index < 0)
      printf("\nInvalid option: %s\n", argv[i]);
}
