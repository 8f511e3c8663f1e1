//===- BackendDiagnostics.cpp - LLVM's diagnostics as clang's -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackendDiagnostics.h"
#include "cilk2chan/Target/Diagnostics.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/SourceMgr.h"

using namespace cilk2chan;

bool BackendDiagnostics::isAnalysisRemarkEnabled(llvm::StringRef pass) const {
  return options.OptimizationRemarkAnalysis.patternMatches(pass);
}

bool BackendDiagnostics::isMissedOptRemarkEnabled(llvm::StringRef pass) const {
  return options.OptimizationRemarkMissed.patternMatches(pass);
}

bool BackendDiagnostics::isPassedOptRemarkEnabled(llvm::StringRef pass) const {
  return options.OptimizationRemark.patternMatches(pass);
}

bool BackendDiagnostics::isAnyRemarkEnabled() const {
  return options.OptimizationRemarkAnalysis.hasValidPattern() ||
         options.OptimizationRemarkMissed.hasValidPattern() ||
         options.OptimizationRemark.hasValidPattern();
}

static unsigned remarkID(const llvm::DiagnosticInfo &info) {
  switch (info.getKind()) {
  case llvm::DK_OptimizationRemark:
  case llvm::DK_MachineOptimizationRemark:
    return clang::diag::remark_fe_backend_optimization_remark;
  case llvm::DK_OptimizationRemarkMissed:
  case llvm::DK_MachineOptimizationRemarkMissed:
    return clang::diag::remark_fe_backend_optimization_remark_missed;
  default:
    return clang::diag::remark_fe_backend_optimization_remark_analysis;
  }
}

/// Clang's warning, and with it the option that silences it.
static unsigned warningID(const llvm::DiagnosticInfo &info) {
  using namespace clang::diag;
  switch (info.getKind()) {
  case llvm::DK_InlineAsm:
  case llvm::DK_SrcMgr:
    return warn_fe_inline_asm;
  case llvm::DK_OptimizationFailure:
    return warn_fe_backend_optimization_failure;
  case llvm::DK_Unsupported:
    return warn_fe_backend_unsupported;
  default:
    return warn_fe_backend_plugin;
  }
}

static const llvm::DiagnosticInfoWithLocationBase *
asLocated(const llvm::DiagnosticInfo &info) {
  switch (info.getKind()) {
  case llvm::DK_GenericWithLoc:
  case llvm::DK_LegalizationFailure:
  case llvm::DK_MisExpect:
  case llvm::DK_RegAllocFailure:
  case llvm::DK_ResourceLimit:
  case llvm::DK_StackSize:
  case llvm::DK_Unsupported:
    break;
  default:
    if (!llvm::isa<llvm::DiagnosticInfoOptimizationBase>(info))
      return nullptr;
  }
  return static_cast<const llvm::DiagnosticInfoWithLocationBase *>(&info);
}

clang::SourceLocation
BackendDiagnostics::locate(const llvm::DiagnosticInfo &info) const {
  // Clang's own location, which CodeGen put on inline assembly and some calls.
  uint64_t cookie = 0;
  if (auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info))
    cookie = assembly->getLocCookie();
  else if (auto *parsed = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info))
    cookie = parsed->getLocCookie();
  else if (auto *call = llvm::dyn_cast<llvm::DiagnosticInfoDontCall>(&info))
    cookie = call->getLocCookie();
  if (cookie)
    return clang::SourceLocation::getFromRawEncoding(cookie);

  // What the compiler itself calls: a spawn's callee, or a function that begins
  // again.
  if (auto *call = llvm::dyn_cast<llvm::DiagnosticInfoDontCall>(&info))
    return cilk2chan::locate(codeGen, call->getFunctionName());

  const llvm::DiagnosticInfoWithLocationBase *located = asLocated(info);
  if (!located)
    return {};
  clang::SourceLocation location;
  if (located->isLocationAvailable()) {
    llvm::StringRef path;
    unsigned line, column;
    located->getLocation(path, line, column);
    // A path that is relative may be so to a directory that is not the current.
    location = cilk2chan::locate(instance, path, line, column);
    if (location.isInvalid())
      location =
          cilk2chan::locate(instance, located->getAbsolutePath(), line, column);
  }
  if (location.isInvalid())
    location = cilk2chan::locate(codeGen, located->getFunction().getName());
  return location;
}

/// What LLVM says, without the place that it would put in front of it.
static std::string messageOf(const llvm::DiagnosticInfo &info) {
  if (auto *parsed = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info))
    return parsed->getSMDiag().getMessage().str();
  if (auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info))
    return assembly->getMsgStr().str();
  if (auto *remark =
          llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info))
    return remark->getMsg();
  if (auto *lacking = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
    return lacking->getMessage().str();
  std::string message;
  llvm::raw_string_ostream os(message);
  llvm::DiagnosticPrinterRawOStream printer(os);
  info.print(printer);
  return message;
}

/// Whether an `asm` statement defines a label that is there already: that of
/// its own copy, unless the program has two of them.
static bool isDuplicateLabel(const llvm::DiagnosticInfo &info,
                             llvm::StringRef message) {
  return llvm::isa<llvm::DiagnosticInfoSrcMgr>(info) &&
         message.starts_with("symbol '") &&
         message.ends_with("' is already defined");
}

bool BackendDiagnostics::handleDiagnostics(const llvm::DiagnosticInfo &info) {
  using namespace clang::diag;
  clang::SourceLocation place = locate(info);
  bool isError = info.getSeverity() == llvm::DS_Error;
  if (auto *call = llvm::dyn_cast<llvm::DiagnosticInfoDontCall>(&info)) {
    reportLate(instance, place,
               isError ? err_fe_backend_error_attr
                       : warn_fe_backend_warning_attr,
               {call->getFunctionName().str(), call->getNote().str()});
    return true;
  }
  if (auto *frame = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info);
      frame && info.getSeverity() == llvm::DS_Warning) {
    reportLate(instance, place, warn_fe_frame_larger_than,
               {std::to_string(frame->getStackSize()),
                std::to_string(frame->getStackLimit()),
                frame->getFunction().getName().str()});
    return true;
  }

  std::string message = messageOf(info);
  switch (info.getSeverity()) {
  case llvm::DS_Error:
    reportLate(instance, place, err_fe_inline_asm, message);
    if (place.isValid() && isDuplicateLabel(info, message))
      reportLate(
          instance, place, note_fe_inline_asm,
          std::string(
              "a function's assembly is copied where the function is split "
              "at a sync, or inlined; add '%=' to the label, which is "
              "another number in each copy"));
    break;
  case llvm::DS_Warning:
    reportLate(instance, place, warningID(info), message);
    break;
  case llvm::DS_Note:
    reportLate(instance, place, note_fe_inline_asm, message);
    break;
  case llvm::DS_Remark:
    // LLVM hands over the remarks of all passes once any is wanted.
    if (auto *remark =
            llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
        remark && remark->isEnabled())
      reportLate(instance, place, remarkID(info), message,
                 remark->getPassName());
    break;
  }
  return true;
}
