//===- Report.cpp - Reading what a run wrote ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;
namespace json = llvm::json;

llvm::Expected<json::Value> chansim::readReport(StringRef file,
                                                StringRef format) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError(file + ": " + why);
  };
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return fail(buffer.getError().message());
  llvm::Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fail("is no JSON: " + toString(value.takeError()));
  json::Object *root = value->getAsObject();
  std::optional<StringRef> found =
      root ? root->getString("format") : std::nullopt;
  if (found != format)
    return fail("is no " + format + " file" +
                (found ? " but a " + found->str() + " file" : ""));
  std::optional<int64_t> version = root->getInteger("version");
  if (version != 1)
    return fail("is of version " +
                (version ? std::to_string(*version) : "unknown") +
                "; this chansim reads version 1");
  return value;
}
