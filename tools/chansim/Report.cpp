//===- Report.cpp - Reading what a run wrote ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

using namespace chansim;

Json chansim::readReport(const std::string &file, std::string_view format) {
  std::optional<std::string> text = readText(file);
  if (!text)
    refuse("", "cannot be read");
  Json root = parseJson(*text);
  auto found = root.is_object() ? root.find("format") : root.end();
  bool isNamed = found != root.end() && found->is_string();
  if (!isNamed || *found != format)
    refuse("", "is no " + std::string(format) + " file" +
                   (isNamed ? " but a " + found->get<std::string>() + " file"
                            : ""));
  auto version = root.find("version");
  if (version == root.end() || *version != 1)
    refuse("version",
           (version == root.end() ? "is missing" : "is " + version->dump()) +
               "; this chansim reads version 1");
  return root;
}

llvm::Error chansim::forReport(const std::string &file,
                               llvm::function_ref<void()> read) {
  try {
    read();
  } catch (const Refusal &refusal) {
    return llvm::createStringError(refusal.message(file));
  }
  return llvm::Error::success();
}
