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

clang::SourceLocation
BackendDiagnostics::locate(const llvm::DiagnosticInfo &info) const {
  // Inline assembly carries clang's own location.
  uint64_t cookie = 0;
  if (auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info))
    cookie = assembly->getLocCookie();
  else if (auto *parsed = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info))
    cookie = parsed->getLocCookie();
  if (cookie)
    return clang::SourceLocation::getFromRawEncoding(cookie);

  const llvm::DiagnosticInfoWithLocationBase *located = nullptr;
  if (auto *remark =
          llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info))
    located = remark;
  else if (auto *limit =
               llvm::dyn_cast<llvm::DiagnosticInfoResourceLimit>(&info))
    located = limit;
  else if (auto *construct =
               llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
    located = construct;
  if (!located || !located->isLocationAvailable())
    return {};
  llvm::StringRef path;
  unsigned line, column;
  located->getLocation(path, line, column);
  // A path that is relative may be so to a directory that is not the current.
  clang::SourceLocation location =
      cilk2chan::locate(instance, path, line, column);
  return location.isValid()
             ? location
             : cilk2chan::locate(instance, located->getAbsolutePath(), line,
                                 column);
}

bool BackendDiagnostics::handleDiagnostics(const llvm::DiagnosticInfo &info) {
  std::string message;
  if (auto *parsed = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
    message = parsed->getSMDiag().getMessage().str();
  } else if (auto *remark =
                 llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
    message = remark->getMsg();
  } else {
    llvm::raw_string_ostream os(message);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
  }

  switch (info.getSeverity()) {
  case llvm::DS_Error:
    reportLate(instance, locate(info), clang::diag::err_fe_inline_asm, message);
    break;
  case llvm::DS_Warning:
    reportLate(instance, locate(info), clang::diag::warn_fe_inline_asm,
               message);
    break;
  case llvm::DS_Note:
    reportLate(instance, locate(info), clang::diag::note_fe_inline_asm,
               message);
    break;
  case llvm::DS_Remark:
    // LLVM hands over the remarks of all passes once any is wanted.
    if (auto *remark =
            llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
        remark && remark->isEnabled())
      reportLate(instance, locate(info), remarkID(info), message,
                 remark->getPassName());
    break;
  }
  return true;
}
