//===- chan/graph.hpp - Channel-flow graphs built by hand -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// chan/graph.h for C++20, in the words of Orr et al., ISCA 2014, Figure 6. A
// kernel has parameters of its own, and setConstArg(i, size, value) sets the
// one at position i. Positions count from 0, with the element's channel and
// offset.
// Header only.  What chan/graph.h says of promises and threads holds here.
//
// Errors: calls that build throw chan::graph::Error with the graph's text.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_GRAPH_HPP
#define CHAN_GRAPH_HPP

#include "chan/graph.h"

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace chan::graph {

/// A call that builds or executes failed; what() says why.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Table 1, for use in kernels.  See chan/graph.h.
inline void *talloc(int id, int count) { return chan_graph_talloc(id, count); }
inline void *talloc(int id, int count, int relative) {
  return chan_graph_talloc_at(id, count, relative);
}
inline void enq(int id, void *elements) { chan_graph_enq(id, elements); }
inline void *deq(int id, int off) { return chan_graph_deq(id, off); }
inline void tfree(int id, int off) { chan_graph_tfree(id, off); }

class Graph;

/// A kernel node.  Belongs to its graph.
class KernelNode {
public:
  /// Sets the kernel's parameter at `index`, from 2 on, to `value`.  `size`
  /// must be the parameter's, and `value` of its type or convertible without a
  /// change of size.
  template <typename T> void setConstArg(int index, size_t size, T value);

private:
  friend class Graph;
  friend class ChannelNode;
  KernelNode(Graph &graph, int number, std::vector<size_t> sizes)
      : graph(graph), number(number), sizes(std::move(sizes)) {}

  Graph &graph;
  int number;
  std::vector<size_t> sizes;         ///< of the parameters from 2 on
  std::vector<size_t> unset = sizes; ///< the same, 0 once set
};

/// A channel or channel-stack node.  Belongs to its graph.
class ChannelNode {
public:
  /// Makes `kernel` this channel's consumer.
  void connectToKernelNode(KernelNode *kernel);

  /// Host side: allocates `count` adjacent elements, not initialised.
  void *talloc(int count);

  /// Host side: enqueues the elements of one talloc.
  void enq(void *elements);

  /// The id by which calls in kernels name the channel.
  const int chID;

private:
  friend class Graph;
  ChannelNode(Graph &graph, int id) : chID(id), graph(graph) {}

  Graph &graph;
};

/// A channel-flow graph.  Waits for its execution when it is destroyed.
class Graph {
public:
  Graph() : handle(chan_graph_new()) {
    if (!handle)
      throw std::bad_alloc();
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  /// A channel for elements of `elementSize` bytes with room for `width`.
  graph::ChannelNode *ChannelNode(size_t elementSize, uint32_t width,
                                  const char *name = nullptr) {
    std::string otherwise = "ch" + std::to_string(channels.size());
    return add(chan_graph_channel(handle.get(), name ? name : otherwise.c_str(),
                                  elementSize, width));
  }

  /// A stack of such channels, one per level.
  graph::ChannelNode *ChannelStackNode(size_t elementSize, uint32_t width,
                                       chan_graph_stack_kind kind,
                                       const char *name = nullptr) {
    std::string otherwise = "ch" + std::to_string(channels.size());
    return add(chan_graph_stack(handle.get(), name ? name : otherwise.c_str(),
                                elementSize, width, kind));
  }

  /// A kernel: `function(srcID, srcOff, parameters...)`.
  template <typename... Parameters>
  graph::KernelNode *KernelNode(void (*function)(int, int, Parameters...),
                                const char *name = nullptr) {
    static_assert(sizeof...(Parameters) + 2 <= CHAN_GRAPH_MAX_ARGS,
                  "too many parameters");
    static_assert((std::is_trivially_copyable_v<Parameters> && ...),
                  "constant arguments are copied as bytes");
    std::string otherwise = "kernel" + std::to_string(kernels.size());
    int number = check(chan_graph_kernel(
        handle.get(), name ? name : otherwise.c_str(),
        [](int src, int off, const void *const *args) {
          invoke<Parameters...>(src, off, args,
                                std::index_sequence_for<Parameters...>());
        }));
    // Place 0 is free, since the element's channel comes with each call. It
    // carries the function.
    check(chan_graph_set_arg(handle.get(), number, 0, sizeof(function),
                             &function));
    kernels.emplace_back(
        new graph::KernelNode(*this, number, {sizeof(Parameters)...}));
    return kernels.back().get();
  }

  /// The number of threads, instead of what CHAN_WORKERS says.
  void setWorkers(int workers) {
    check(chan_graph_set_workers(handle.get(), workers));
  }

  /// Starts the graph.
  void execute() {
    for (auto &kernel : kernels)
      for (size_t i = 0; i < kernel->unset.size(); ++i)
        if (kernel->unset[i])
          throw Error("parameter " + std::to_string(i + 2) + " of kernel " +
                      std::to_string(kernel->number) + " was not set");
    check(chan_graph_execute(handle.get()));
  }

  /// Returns when no element is left.
  void waitForDone() { check(chan_graph_wait(handle.get())); }

private:
  friend class graph::KernelNode;
  friend class graph::ChannelNode;

  struct Destroy {
    void operator()(chan_graph *graph) const { chan_graph_destroy(graph); }
  };

  template <typename... Parameters, size_t... I>
  static void invoke(int src, int off, const void *const *args,
                     std::index_sequence<I...>) {
    using Function = void (*)(int, int, Parameters...);
    (*static_cast<const Function *>(args[0]))(
        src, off, *static_cast<const Parameters *>(args[I + 2])...);
  }

  int check(int result) {
    if (result < 0)
      throw Error(chan_graph_error(handle.get()));
    return result;
  }

  graph::ChannelNode *add(int id) {
    channels.emplace_back(new graph::ChannelNode(*this, check(id)));
    return channels.back().get();
  }

  std::unique_ptr<chan_graph, Destroy> handle;
  std::vector<std::unique_ptr<graph::ChannelNode>> channels;
  std::vector<std::unique_ptr<graph::KernelNode>> kernels;
};

template <typename T>
void KernelNode::setConstArg(int index, size_t size, T value) {
  if (index < 2 || size_t(index - 2) >= sizes.size())
    throw Error("the kernel has no parameter " + std::to_string(index) +
                " to set");
  if (size != sizes[index - 2] || size != sizeof(T))
    throw Error("parameter " + std::to_string(index) + " has " +
                std::to_string(sizes[index - 2]) + " bytes, not " +
                std::to_string(size == sizeof(T) ? size : sizeof(T)));
  graph.check(
      chan_graph_set_arg(graph.handle.get(), number, index, size, &value));
  unset[index - 2] = 0;
}

inline void ChannelNode::connectToKernelNode(KernelNode *kernel) {
  graph.check(chan_graph_connect(graph.handle.get(), chID, kernel->number));
}

inline void *ChannelNode::talloc(int count) {
  void *elements = chan_graph_host_talloc(graph.handle.get(), chID, count);
  if (!elements)
    throw Error(chan_graph_error(graph.handle.get()));
  return elements;
}

inline void ChannelNode::enq(void *elements) {
  graph.check(chan_graph_host_enq(graph.handle.get(), chID, elements));
}

} // namespace chan::graph

#endif // CHAN_GRAPH_HPP
