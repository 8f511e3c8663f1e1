//===- Program.cpp - The kernels that are linked into a process -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <stdexcept>

namespace chansim {

Stack &Program::intern(uint64_t address) {
  auto *channel = reinterpret_cast<const chan_channel *>(address);
  Stack *&stack = byChannel[channel];
  if (!stack)
    stack = &stacks.emplace_back(channel, static_cast<uint32_t>(stacks.size()));
  return *stack;
}

void Program::load(std::string_view text, const std::string &file,
                   std::span<const uint64_t> symbols, const Machine &machine) {
  std::string error;
  std::optional<Configuration> parsed =
      Configuration::parse(text, file, machine, error);
  if (!parsed)
    throw std::runtime_error(error);
  if (parsed->symbols.size() != symbols.size())
    throw std::runtime_error(file + ": symbols: has " +
                             std::to_string(parsed->symbols.size()) +
                             ", of which the program gives the addresses of " +
                             std::to_string(symbols.size()));
  const Configuration &configuration =
      configurations.emplace_back(std::move(*parsed));
  for (const Kernel &kernel : configuration.kernels) {
    DeviceKernel &added =
        kernels.emplace_back(KernelImage(kernel, machine, symbols));
    // A library may be loaded where another one was.
    if (kernel.consumes) {
      Stack &stack = intern(symbols[*kernel.consumes]);
      (kernel.launch == LaunchKind::ranges ? stack.rangesConsumer
                                           : stack.consumer) = &added;
    }
    for (const Parameter &parameter : kernel.parameters) {
      bool isChannel = parameter.kind == Parameter::Kind::column ||
                       parameter.kind == Parameter::Kind::control;
      added.bindings.push_back(
          {parameter.kind, parameter.number,
           isChannel ? &intern(symbols[parameter.stack]) : nullptr,
           static_cast<uint32_t>(parameter.level)});
    }
  }
}

Stack &Program::stackOf(const chan_channel *channel) {
  auto found = byChannel.find(channel);
  if (found == byChannel.end() || !found->second->consumer)
    throw std::runtime_error(std::string("no configuration has the kernel of "
                                         "channel '") +
                             channel->name + "'");
  Stack &stack = *found->second;
  if (stack.consumer->image.kernel().launch == LaunchKind::range &&
      !stack.rangesConsumer)
    throw std::runtime_error(std::string("no configuration has the kernel for "
                                         "several ranges of channel '") +
                             channel->name + "'");
  return stack;
}

} // namespace chansim
