//===- RuntimeStrandTest.cpp - Views in serial order ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees of activations whose strands end in a random order, on several threads.
// A view is the text of how it was combined: a strand appends its number, and
// `reduce` puts both sides into parentheses. So the text without parentheses
// says in which order views were combined, and the parentheses say how.
//
//===----------------------------------------------------------------------===//

#include "Strand.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Text = std::string;

void begin(void *view) { new (view) Text; }
void combine(void *left, void *right) {
  Text &one = *static_cast<Text *>(left), &other = *static_cast<Text *>(right);
  one = "(" + one + " " + other + ")";
  other.~Text();
}

Text withoutParentheses(Text text) {
  std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
  return text;
}

/// The reducer of a test, and what its views are like.
struct Reducer {
  Text variable;
  uint32_t flags = 0;

  void append(int number) {
    Text &view = *static_cast<Text *>(chan_reducer_view(
        this, sizeof(Text), alignof(Text), flags, begin, combine));
    view += (view.empty() ? "" : "+") + std::to_string(number);
  }
};

/// Runs `children` on `threads` threads, in a random order.
void runAll(std::vector<std::function<void()>> children, unsigned threads,
            std::mt19937 &random) {
  std::shuffle(children.begin(), children.end(), random);
  std::atomic<size_t> next{0};
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i)
    running.emplace_back([&] {
      for (size_t index; (index = next++) < children.size();)
        children[index]();
    });
  for (std::thread &thread : running)
    thread.join();
}

/// An activation with `count` children, of which each has as many of its own
/// down to depth 0. Some parts and children do not use the reducer.
void activation(chan_strand *strand, Reducer &reducer, int depth, int count,
                int &number, unsigned threads, std::mt19937 &random,
                Text *expected) {
  chan_strand_begin(strand);
  auto use = [&](int value) {
    if (value % 3 == 0)
      return;
    reducer.append(value);
    *expected += std::to_string(value) + " ";
  };
  use(number++);
  std::vector<std::function<void()>> children;
  for (int i = 0; depth > 0 && i < count; ++i) {
    chan_strand *child = chan_strand_spawn(strand);
    // Numbers are given in serial order.
    int first = number;
    Text *text = expected;
    int last = first;
    std::function<void(int, Text *)> elide = [&](int below, Text *to) {
      if (last % 3 != 0 && to)
        *to += std::to_string(last) + " ";
      ++last;
      for (int k = 0; below > 0 && k < count; ++k) {
        elide(below - 1, to);
        if (last % 3 != 0 && to)
          *to += std::to_string(last) + " ";
        ++last;
      }
    };
    elide(depth - 1, text);
    number = last;
    uint32_t seed = random();
    children.push_back([&reducer, child, depth, count, first, seed] {
      std::mt19937 own(seed);
      int numbers = first;
      Text ignored;
      activation(child, reducer, depth - 1, count, numbers, 1, own, &ignored);
    });
    chan_strand_resume(strand);
    use(number++);
  }
  chan_strand_suspend();
  runAll(std::move(children), threads, random);
  chan_strand_sync(strand);
  chan_strand_end(strand);
}

/// Returns the variable at the end.
Text run(uint32_t flags, uint32_t seed, unsigned threads, int depth, int count,
         Text *expected) {
  Reducer reducer{"", flags};
  // The views of the outermost strand are the variable.
  std::mt19937 random(seed);
  chan_strand *outer = chan_strand_current();
  chan_strand *root = chan_strand_enter(outer);
  chan_strand_begin(root);
  chan_strand *inner = chan_strand_spawn(root);
  int number = 1;
  activation(inner, reducer, depth, count, number, threads, random, expected);
  chan_strand_resume(root);
  chan_strand_suspend();
  chan_strand_sync(root);
  chan_strand_end(root);
  chan_strand_leave(outer, root);
  return reducer.variable;
}

} // namespace

TEST(RuntimeStrand, ViewsAreCombinedInSerialOrder) {
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Text expected;
    Text result = withoutParentheses(run(/*flags=*/0, seed, 1 + seed % 4,
                                         seed % 3, 1 + seed % 9, &expected));
    // The variable was empty.
    while (!result.empty() && result.front() == ' ')
      result.erase(0, 1);
    while (!expected.empty() && expected.back() == ' ')
      expected.pop_back();
    EXPECT_EQ(result, expected);
  }
}

TEST(RuntimeStrand, OrderedViewsHaveOneAssociation) {
  for (int depth : {1, 2}) {
    Text first, expected;
    for (uint32_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Text result =
          run(CHAN_REDUCER_ORDERED, seed, 1 + seed % 4, depth, 7, &expected);
      if (seed == 1)
        first = result;
      EXPECT_EQ(result, first);
    }
  }
}

TEST(RuntimeStrand, ACalledActivationGoesOnInThePartOfItsCaller) {
  Reducer reducer;
  chan_strand *root = chan_strand_enter(nullptr);
  chan_strand_begin(root);
  chan_strand *child = chan_strand_spawn(root);
  chan_strand_resume(root);
  reducer.append(2);
  chan_strand *part = chan_strand_call(root);
  chan_strand_begin(part);
  reducer.append(3);
  chan_strand *inner = chan_strand_spawn(part);
  chan_strand_resume(part);
  reducer.append(5);
  chan_strand_begin(inner);
  reducer.append(4);
  chan_strand_end(inner);
  chan_strand_resume(part);
  chan_strand_suspend();
  chan_strand_sync(part);
  reducer.append(6);
  chan_strand_end(part);
  chan_strand_resume(root);
  reducer.append(7);
  chan_strand_begin(child);
  reducer.append(1);
  chan_strand_end(child);
  chan_strand_sync(root);
  chan_strand_end(root);
  chan_strand_leave(nullptr, root);
  Text result = withoutParentheses(reducer.variable);
  std::replace(result.begin(), result.end(), '+', ' ');
  EXPECT_EQ(result, " 1 2 3 4 5 6 7");
}

TEST(RuntimeViews, TheTableFindsWhatWasAdded) {
  chan::Views views;
  std::vector<char> objects(4096);
  std::mt19937 random(7);
  std::vector<bool> isThere(objects.size());
  for (int i = 0; i < 20000; ++i) {
    size_t at = random() % objects.size();
    void *reducer = &objects[at];
    chan::View *view = views.find(reducer);
    ASSERT_EQ(view != nullptr, bool(isThere[at]));
    if (view) {
      ASSERT_EQ(view->reducer, reducer);
      views.remove(view);
    } else {
      views.add({reducer, reducer, nullptr, false, at % 2 == 0});
    }
    isThere[at] = !view;
  }
  size_t count = std::count(isThere.begin(), isThere.end(), true);
  EXPECT_EQ(views.empty(), count == 0);
}
