//===- PassTrace.cpp - Which of MLIR's passes runs ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTrace.h"

#include "cilk2chan/Pipelines/Pipelines.h"
#include "cilk2chan/Support/FailIfTested.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace cilk2chan;

namespace {

class RunningPass : public llvm::PrettyStackTraceEntry {
public:
  RunningPass(llvm::StringRef pass, mlir::Operation *op)
      : pass(pass),
        function(op->getParentOp() ? mlir::SymbolTable::getSymbolName(op)
                                   : mlir::StringAttr()) {}

  void print(llvm::raw_ostream &os) const override {
    os << "Running pass '" << pass << "' on "
       << (function ? "function '" : "module '")
       << (function ? function.getValue() : "") << "'\n";
  }

private:
  llvm::StringRef pass;
  mlir::StringAttr function;
};

class PassTrace : public mlir::PassInstrumentation {
public:
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    // MLIR's own, which run passes on the operations within one, have no name.
    running.push_back(std::make_unique<RunningPass>(pass->getArgument(), op));
    failIfTested(pass->getArgument());
  }
  void runAfterPass(mlir::Pass *, mlir::Operation *) override {
    running.pop_back();
  }
  void runAfterPassFailed(mlir::Pass *, mlir::Operation *) override {
    running.pop_back();
  }

private:
  std::vector<std::unique_ptr<RunningPass>> running;
};

/// Serves --dump-after=PASS.
class PassDump : public mlir::PassInstrumentation {
public:
  explicit PassDump(llvm::ArrayRef<std::string> names) : names(names) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!llvm::is_contained(names, pass->getArgument()))
      return;
    op->print(llvm::errs());
    llvm::errs() << '\n';
  }

private:
  llvm::ArrayRef<std::string> names;
};

} // namespace

void cilk2chan::tracePasses(mlir::PassManager &manager,
                            llvm::ArrayRef<std::string> dumps) {
  manager.addInstrumentation(std::make_unique<PassTrace>());
  if (!dumps.empty())
    manager.addInstrumentation(std::make_unique<PassDump>(dumps));
  // It fails where -mllvm gives none.
  (void)mlir::applyPassManagerCLOptions(manager);
}

void cilk2chan::parseLLVMOptions(llvm::ArrayRef<std::string> options) {
  if (options.empty())
    return;
  registerPassesAndPipelines();
  mlir::registerPassManagerCLOptions();
  llvm::SmallVector<const char *> arguments = {"cilk2chan (LLVM options)"};
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  llvm::cl::ParseCommandLineOptions(arguments.size(), arguments.data());
}
