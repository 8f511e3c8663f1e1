//===- LineReport.cpp - The file of the report of lines -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session/Reports.h"

#include <nlohmann/json.hpp>

namespace chansim {

std::string reportLines(const RunInfo &run,
                        std::span<const KernelCode *const> kernels) {
  using OrderedJson = nlohmann::ordered_json;
  OrderedJson blocks = OrderedJson::array();
  for (const KernelCode *kernel : kernels)
    kernel->reportBlocks(blocks);
  OrderedJson root = {{"format", "chansim-lines"},
                      {"version", 1},
                      {"program", run.program},
                      {"machine", run.machine.name},
                      {"blocks", std::move(blocks)}};
  return root.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

} // namespace chansim
