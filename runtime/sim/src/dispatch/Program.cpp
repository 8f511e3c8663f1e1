//===- Program.cpp - The kernels that are linked into a process -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Program.h"
#include "fabric/Image.h"
#include "machine/Json.h"
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

void Program::load(std::string_view text, const std::string &file,
                   std::span<const uint64_t> symbols, const Machine &machine) {
  load(
      text, file,
      [&](const std::vector<std::string> &names) {
        if (names.size() != symbols.size())
          throw std::runtime_error(
              file + ": symbols: has " + std::to_string(names.size()) +
              ", of which the program gives the addresses of " +
              std::to_string(symbols.size()));
        return std::vector<uint64_t>(symbols.begin(), symbols.end());
      },
      machine);
}

/// The first character that is in no comment; 0 if there is none.
static char firstCharacter(std::string_view text) {
  while (true) {
    text.remove_prefix(
        std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("//"))
      return text.empty() ? '\0' : text.front();
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

/// The symbols of a file, whatever it is for.
static std::vector<std::string> symbolsOf(std::string_view text,
                                          const std::string &file) {
  std::vector<std::string> names;
  if (firstCharacter(text) != '{') {
    std::string error;
    std::optional<simt::Assembly> assembly =
        simt::Assembly::parse(text, file, error);
    if (!assembly)
      throw std::runtime_error(error);
    return assembly->symbols;
  }
  try {
    Json json = parseJson(text);
    Field root(json);
    Field symbols = root["symbols"];
    for (uint32_t i = 0; i != symbols.size(); ++i)
      names.emplace_back(symbols.at(i).string());
  } catch (const Refusal &refusal) {
    throw std::runtime_error(refusal.message(file));
  }
  return names;
}

void Program::loadInstead(std::string_view text, const std::string &file,
                          const Linked &linked, const Machine &machine) {
  const std::vector<std::string> known = symbolsOf(linked.text, linked.file);
  if (known.size() != linked.symbols.size())
    throw std::runtime_error(linked.file + ": symbols: do not fit the program");
  // The linker gives local symbols of an object a suffix.
  std::vector<std::string> shortNames;
  for (const std::string &name : known)
    shortNames.push_back(name.substr(0, name.find(".device.")));
  auto addressOf = [&](const std::string &name) {
    auto found = std::ranges::find(known, name);
    if (found != known.end())
      return linked.symbols[static_cast<size_t>(found - known.begin())];
    auto local = std::ranges::find(shortNames, name);
    switch (std::ranges::count(shortNames, name)) {
    case 0:
      break;
    case 1:
      return linked.symbols[static_cast<size_t>(local - shortNames.begin())];
    default:
      throw std::runtime_error(file + ": symbol '" + name +
                               "': several files of the program have one; "
                               "give the whole name: " +
                               joinNames(known, ", "));
    }
    std::string meant = didYouMean(name, shortNames);
    throw std::runtime_error(
        file + ": symbol '" + name + "': the program's own kernels have none" +
        (meant.empty() ? "; they have " + joinNames(shortNames, ", ") : meant));
  };
  load(
      text, file,
      [&](const std::vector<std::string> &names) {
        std::vector<uint64_t> addresses;
        for (const std::string &name : names)
          addresses.push_back(addressOf(name));
        return addresses;
      },
      machine);
}

void Program::load(std::string_view text, const std::string &file,
                   const Resolve &resolve, const Machine &machine) {
  // A configuration says which kind it is for, and is refused.
  if (!hasFabric(machine.kind) && firstCharacter(text) != '{')
    loadAssembly(text, file, resolve, machine);
  else
    loadConfiguration(text, file, resolve, machine);
}

void Program::loadAssembly(std::string_view text, const std::string &file,
                           const Resolve &resolve, const Machine &machine) {
  std::string error;
  std::optional<simt::Assembly> parsed =
      simt::Assembly::parse(text, file, error);
  if (!parsed)
    throw std::runtime_error(error);
  const std::vector<uint64_t> symbols = resolve(parsed->symbols);
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
            kernel, symbols, simt::tileThreads(machine),
            machine.simt.isTimed ? machine.simt.issueCycles : 0),
        symbols);
  }
}

void Program::loadConfiguration(std::string_view text, const std::string &file,
                                const Resolve &resolve,
                                const Machine &machine) {
  if (firstCharacter(text) == '.')
    throw std::runtime_error(file + ": is for machines of kind 'simt', and '" +
                             machine.name + "' is of kind '" +
                             std::string(nameOf(machine.kind)) +
                             "'; compile for this machine: --target=vgiw");
  std::string error;
  std::optional<Configuration> parsed =
      Configuration::parse(text, file, machine, error);
  if (!parsed)
    throw std::runtime_error(error);
  const std::vector<uint64_t> symbols = resolve(parsed->symbols);
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
    throw std::runtime_error(std::string("the program launches kernel '") +
                             channel->name +
                             "', which is not among its kernels");
  return *found->second;
}

} // namespace chansim
