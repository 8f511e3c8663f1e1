//===- Program.cpp - The kernels that are linked into a process -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Program.h"
#include "fabric/Image.h"
#include "simt/Code.h"
#include "simt/GroupLimits.h"

#include <stdexcept>

namespace chansim {

Stack &Program::intern(uint64_t address) {
  auto *channel = reinterpret_cast<const chan_channel *>(address);
  Stack *&stack = byChannel[channel];
  if (!stack)
    stack = &stacks.emplace_back(channel, static_cast<uint32_t>(stacks.size()));
  return *stack;
}

void Program::checkSymbols(size_t count, std::span<const uint64_t> symbols,
                           const std::string &file) {
  if (count != symbols.size())
    throw std::runtime_error(file + ": symbols: has " + std::to_string(count) +
                             ", of which the program gives the addresses of " +
                             std::to_string(symbols.size()));
}

void Program::load(std::string_view text, const std::string &file,
                   std::span<const uint64_t> symbols, const Machine &machine) {
  // A configuration says which kind it is for, and is refused.
  if (machine.kind == MachineKind::simt && !text.starts_with('{'))
    loadAssembly(text, file, symbols, machine);
  else
    loadConfiguration(text, file, symbols, machine);
}

void Program::loadAssembly(std::string_view text, const std::string &file,
                           std::span<const uint64_t> symbols,
                           const Machine &machine) {
  std::string error;
  std::optional<simt::Assembly> parsed =
      simt::Assembly::parse(text, file, error);
  if (!parsed)
    throw std::runtime_error(error);
  checkSymbols(parsed->symbols.size(), symbols, file);
  auto assembly = std::make_shared<const simt::Assembly>(std::move(*parsed));
  files.push_back(assembly);
  for (const simt::Kernel &kernel : assembly->kernels) {
    if (kernel.registerWords() > machine.simt.registers)
      throw std::runtime_error(
          file + ": kernel '" + kernel.name + "' has registers of " +
          std::to_string(kernel.registerWords()) +
          " words, and simt.registers of '" + machine.name + "' is " +
          std::to_string(machine.simt.registers));
    if (kernel.groupThreads)
      if (std::string problem = simt::groupProblem(
              {kernel.groupThreads, kernel.groupBytes, kernel.registerWords()},
              machine.simt);
          !problem.empty())
        throw std::runtime_error(file + ": kernel '" + kernel.name +
                                 "' cannot run on machine '" + machine.name +
                                 "': " + problem);
    add(std::make_unique<simt::Code>(
            kernel, symbols, simt::tileThreads(machine.simt),
            machine.simt.isTimed ? machine.simt.issueCycles : 0),
        symbols);
  }
}

void Program::loadConfiguration(std::string_view text, const std::string &file,
                                std::span<const uint64_t> symbols,
                                const Machine &machine) {
  if (text.starts_with(".kernel"))
    throw std::runtime_error(
        file + ": (file): is for machines of kind 'simt', and '" +
        machine.name + "' is of kind '" + std::string(nameOf(machine.kind)) +
        "'; compile for this machine, by --target");
  std::string error;
  std::optional<Configuration> parsed =
      Configuration::parse(text, file, machine, error);
  if (!parsed)
    throw std::runtime_error(error);
  checkSymbols(parsed->symbols.size(), symbols, file);
  auto configuration =
      std::make_shared<const Configuration>(std::move(*parsed));
  files.push_back(configuration);
  for (const Kernel &kernel : configuration->kernels)
    add(std::make_unique<KernelImage>(kernel, machine, symbols), symbols);
}

void Program::add(std::unique_ptr<KernelCode> code,
                  std::span<const uint64_t> symbols) {
  DeviceKernel &added = kernels.emplace_back(std::move(code));
  const KernelHeader &header = added.code->header();
  // A library may be loaded where another one was.
  if (header.consumes) {
    Stack &stack = intern(symbols[*header.consumes]);
    (header.launch == LaunchKind::ranges ? stack.rangesConsumer
                                         : stack.consumer) = &added;
  }
  for (const Parameter &parameter : header.parameters) {
    bool isChannel = parameter.kind == Parameter::Kind::column ||
                     parameter.kind == Parameter::Kind::control;
    added.bindings.push_back(
        {parameter.kind, parameter.number,
         isChannel ? &intern(symbols[parameter.stack]) : nullptr,
         static_cast<uint32_t>(parameter.level)});
  }
}

Stack &Program::stackOf(const chan_channel *channel) {
  auto found = byChannel.find(channel);
  if (found == byChannel.end() || !found->second->consumer)
    throw std::runtime_error(std::string("no configuration has the kernel of "
                                         "channel '") +
                             channel->name + "'");
  return *found->second;
}

} // namespace chansim
