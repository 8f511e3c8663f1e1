//===- Remarks.cpp - MLIR's places and remarks as clang's -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "cilk2chan/Target/Diagnostics.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace cilk2chan;

namespace {
class Streamer : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  Streamer(const clang::CodeGenOptions &options,
           clang::CompilerInstance &instance, clang::CodeGenerator &codeGen)
      : options(options), instance(instance), codeGen(codeGen) {}

  void
  streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override;

private:
  const clang::CodeGenOptions &options;
  clang::CompilerInstance &instance;
  clang::CodeGenerator &codeGen;
  /// What has been said, so that copies of a function do not say it again.
  llvm::StringSet<> printed;
};
} // namespace

/// The copies of a function that passes make have its name with one of these.
static constexpr llvm::StringLiteral copySuffixes[] = {
    ".byval.fallback", ".byval", ".fallback", ".constprop"};

/// `text` with the names of functions that stand in the source: 'f' instead of
/// 'f.byval'.
static std::string nameFunctions(std::string text) {
  for (llvm::StringRef suffix : copySuffixes) {
    std::string quoted = suffix.str() + "'";
    for (size_t at; (at = text.find(quoted)) != std::string::npos;)
      text.erase(at, suffix.size());
  }
  return text;
}

/// The directory that the name of a location's file is relative to, if debug
/// information tells.
static llvm::StringRef directoryOf(mlir::Location location) {
  using namespace mlir::LLVM;
  auto scoped =
      location->findInstanceOf<mlir::FusedLocWith<DILocalScopeAttr>>();
  if (!scoped)
    return {};
  auto file =
      llvm::TypeSwitch<DILocalScopeAttr, DIFileAttr>(scoped.getMetadata())
          .Case<DISubprogramAttr, DILexicalBlockAttr, DILexicalBlockFileAttr>(
              [](auto scope) { return scope.getFile(); })
          .Default(DIFileAttr());
  return file ? file.getDirectory().getValue() : llvm::StringRef();
}

clang::SourceLocation cilk2chan::locate(clang::CompilerInstance &instance,
                                        clang::CodeGenerator &codeGen,
                                        mlir::Location location) {
  if (auto line = location->findInstanceOf<mlir::FileLineColLoc>()) {
    llvm::SmallString<128> path(directoryOf(location));
    llvm::sys::path::append(path, line.getFilename().getValue());
    for (llvm::StringRef name : {line.getFilename().getValue(), path.str()}) {
      clang::SourceLocation place =
          locate(instance, name, line.getLine(), line.getColumn());
      if (place.isValid())
        return place;
    }
  }
  if (auto name = location->findInstanceOf<mlir::NameLoc>())
    return locate(codeGen, name.getName());
  return {};
}

void Streamer::streamOptimizationRemark(
    const mlir::remark::detail::Remark &remark) {
  const auto *wanted = &options.OptimizationRemarkAnalysis;
  unsigned id = clang::diag::remark_fe_backend_optimization_remark_analysis;
  switch (remark.getRemarkType()) {
  case llvm::remarks::Type::Passed:
    wanted = &options.OptimizationRemark;
    id = clang::diag::remark_fe_backend_optimization_remark;
    break;
  case llvm::remarks::Type::Missed:
    wanted = &options.OptimizationRemarkMissed;
    id = clang::diag::remark_fe_backend_optimization_remark_missed;
    break;
  default:
    break;
  }
  llvm::StringRef category = remark.getCategoryName();
  if (!wanted->patternMatches(category))
    return;
  clang::SourceLocation place = locate(codeGen, remark.getFunction());
  if (place.isInvalid())
    place = locate(instance, codeGen, remark.getLocation());
  std::string text;
  for (const auto &argument : remark.getArgs())
    text += argument.val;
  text = nameFunctions(std::move(text));
  std::string key = (llvm::Twine(place.getRawEncoding()) + " " + category +
                     " " + llvm::Twine(id) + " " + text)
                        .str();
  if (printed.insert(key).second)
    reportLate(instance, place, id, text, category);
}

void cilk2chan::reportRemarks(mlir::MLIRContext &context,
                              const clang::CodeGenOptions &options,
                              clang::CompilerInstance &instance,
                              clang::CodeGenerator &codeGen) {
  if (!options.OptimizationRemark.hasValidPattern() &&
      !options.OptimizationRemarkMissed.hasValidPattern() &&
      !options.OptimizationRemarkAnalysis.hasValidPattern())
    return;
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      categories.failed = ".*";
  // Cannot fail: there is no engine yet.
  (void)mlir::remark::enableOptimizationRemarks(
      context, std::make_unique<Streamer>(options, instance, codeGen),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories);
}
