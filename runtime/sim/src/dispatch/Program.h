//===- Program.h - The kernels that are linked into a process ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_PROGRAM_H
#define CHANSIM_PROGRAM_H

#include "chan/abi.h"
#include "core/Kernel.h"
#include "machine/Machine.h"

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace chansim {

struct DeviceKernel;

/// A channel stack of the program.
struct Stack {
  const chan_channel *channel;
  /// From 0, in the order in which configurations name them: unlike addresses,
  /// the same in each run.
  uint32_t id;
  /// Null until the configuration with its kernel has been loaded.
  DeviceKernel *consumer = nullptr;
  /// If the elements are ranges: `consumer` is for tiles of one range, and this
  /// is for tiles of several, or null: then each range has its own.
  DeviceKernel *rangesConsumer = nullptr;
};

/// A kernel and what each of its parameters is bound to.
struct DeviceKernel {
  struct Binding {
    Parameter::Kind kind;
    uint64_t number;
    /// Of channels.
    Stack *stack;
    uint32_t level;
  };

  std::unique_ptr<KernelCode> code;
  std::vector<Binding> bindings = {};
};

/// The kernels of the program files that are linked into the process, with the
/// addresses of their symbols.
class Program {
public:
  /// Reads a file for a machine of this kind.  Throws std::runtime_error if it is
  /// refused; `file` is what the message names.
  void load(std::string_view text, const std::string &file,
            std::span<const uint64_t> symbols, const Machine &machine);

  /// A file that is linked into the process.
  struct Linked {
    std::string_view text;
    std::string file;
    std::span<const uint64_t> symbols;
  };
  /// Reads `text` instead of a linked file.  The symbols have the addresses of those
  /// with the same names; others are refused.
  void loadInstead(std::string_view text, const std::string &file,
                   const Linked &linked, const Machine &machine);

  /// What consumes from the channel; throws std::runtime_error if no
  /// configuration has it.
  Stack &stackOf(const chan_channel *channel);
  size_t stackCount() const { return stacks.size(); }
  /// In the order of their numbers.
  std::deque<Stack> &allStacks() { return stacks; }
  std::deque<DeviceKernel> &deviceKernels() { return kernels; }

private:
  /// The addresses of symbols, in their order.
  using Resolve = std::function<std::vector<uint64_t>(
      const std::vector<std::string> &names)>;
  void load(std::string_view text, const std::string &file,
            const Resolve &resolve, const Machine &machine);
  void loadConfiguration(std::string_view text, const std::string &file,
                         const Resolve &resolve, const Machine &machine);
  void loadAssembly(std::string_view text, const std::string &file,
                    const Resolve &resolve, const Machine &machine);
  void add(std::unique_ptr<KernelCode> code, std::span<const uint64_t> symbols);
  Stack &intern(uint64_t address);

  /// What the kernels refer to, of any type.
  std::vector<std::shared_ptr<const void>> files;
  std::deque<DeviceKernel> kernels;
  std::deque<Stack> stacks;
  std::unordered_map<const chan_channel *, Stack *> byChannel;
};

} // namespace chansim

#endif // CHANSIM_PROGRAM_H
