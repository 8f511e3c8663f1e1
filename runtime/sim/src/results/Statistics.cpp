//===- Statistics.cpp - What a simulation counted -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "results/Statistics.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <stdexcept>

namespace chansim {

void Statistics::append(Entry entry) {
  if (entry.name.empty() || entry.unit.empty() || entry.description.empty())
    throw std::logic_error("statistic '" + entry.name +
                           "' lacks a name, a unit or a description");
  for (const Entry &other : entries)
    if (other.name == entry.name)
      throw std::logic_error("there are two statistics '" + entry.name + "'");
  entries.push_back(std::move(entry));
}

void Statistics::add(std::string name, std::string unit,
                     std::string description, const uint64_t &counter) {
  append({std::move(name),
          std::move(unit),
          std::move(description),
          {&counter},
          {},
          1});
}

void Statistics::addRatio(std::string name, std::string unit,
                          std::string description, const uint64_t &part,
                          const uint64_t &whole, double scale) {
  append({std::move(name),
          std::move(unit),
          std::move(description),
          {&part},
          {&whole},
          scale});
}

void Statistics::addWeighted(std::string name, std::string unit,
                             std::string description,
                             std::span<const Term> terms, double scale) {
  Entry entry{
      std::move(name), std::move(unit), std::move(description), {}, {}, scale};
  for (const Term &term : terms) {
    auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Entry &other) {
          return other.name == term.counter && other.isCounter();
        });
    if (found == entries.end())
      throw std::logic_error("statistic '" + entry.name + "' is a sum of '" +
                             term.counter + "', which is no counter");
    entry.terms.push_back({found - entries.begin(), term.weight});
  }
  append(std::move(entry));
}

double Statistics::fraction(const Entry &entry) const {
  if (entry.terms.empty())
    return entry.ratio();
  double sum = 0;
  for (auto [index, weight] : entry.terms)
    sum += weight * static_cast<double>(entries[index].count());
  return entry.scale * sum;
}

void Statistics::addSums(std::span<const Statistics *const> parts) {
  for (size_t i = 0; i != parts.front()->entries.size(); ++i) {
    Entry sum = parts.front()->entries[i];
    for (const Statistics *part : parts.subspan(1)) {
      if (part->entries.size() != parts.front()->entries.size() ||
          part->entries[i].name != sum.name)
        throw std::logic_error("statistic '" + sum.name +
                               "' is not in all parts of a sum");
      const Entry &more = part->entries[i];
      sum.counters.insert(sum.counters.end(), more.counters.begin(),
                          more.counters.end());
      sum.wholes.insert(sum.wholes.end(), more.wholes.begin(),
                        more.wholes.end());
    }
    append(std::move(sum));
  }
}

uint64_t Statistics::sum(const std::vector<const uint64_t *> &counters) {
  uint64_t result = 0;
  for (const uint64_t *counter : counters)
    result += *counter;
  return result;
}

uint64_t Statistics::value(std::string_view name) const {
  for (const Entry &entry : entries)
    if (entry.name == name && entry.isCounter())
      return entry.count();
  throw std::out_of_range("there is no counter '" + std::string(name) + "'");
}

std::optional<double> Statistics::find(std::string_view name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.isCounter() ? double(entry.count()) : fraction(entry);
  return std::nullopt;
}

std::vector<Statistics::Named>
Statistics::endingWith(std::string_view suffix) const {
  std::vector<Named> found;
  for (const Entry &entry : entries)
    if (entry.isCounter() && entry.name.ends_with(suffix))
      found.push_back({entry.name, entry.count()});
  return found;
}

std::string Statistics::json(const RunInfo &run) const {
  using Json = nlohmann::ordered_json;
  auto list = [](const Statistics &all) {
    Json array = Json::array();
    for (const Entry &entry : all.entries) {
      Json item = {{"name", entry.name},
                   {"unit", entry.unit},
                   {"description", entry.description}};
      if (entry.isCounter())
        item["value"] = entry.count();
      else
        item["value"] = all.fraction(entry);
      array.push_back(std::move(item));
    }
    return array;
  };
  Json parameters = Json::object();
  for (const ParameterText &parameter : listParameters(run.machine))
    parameters[parameter.key] = Json::parse(parameter.value);
  Json root = {{"format", "chansim-statistics"},
               {"version", 1},
               {"program", run.program},
               {"machine", run.machine.name}};
  if (!run.failure.empty())
    root["failure"] = run.failure;
  root["parameters"] = std::move(parameters);
  root["statistics"] = list(*this);
  if (run.host)
    root["host"] = list(*run.host);
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Statistics::table() const {
  std::string text;
  for (const Entry &entry : entries) {
    if (entry.isCounter() ? !entry.count() : fraction(entry) == 0)
      continue;
    char number[32];
    if (!entry.isCounter())
      std::snprintf(number, sizeof number, "%.3f", fraction(entry));
    else
      std::snprintf(number, sizeof number, "%llu",
                    static_cast<unsigned long long>(entry.count()));
    char line[80];
    std::snprintf(line, sizeof line, "%-28s %16s %-12s ", entry.name.c_str(),
                  number, entry.unit.c_str());
    text += line + entry.description + "\n";
  }
  return text;
}

} // namespace chansim
