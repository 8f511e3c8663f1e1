//===- LLVMToCilk.cpp - Raise marker calls to the cilk dialect ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

namespace cilk2chan {
#define GEN_PASS_DEF_LLVMTOCILK
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

static StringRef calleeOf(LLVM::CallOp call) {
  return call.getCallee() ? *call.getCallee() : StringRef();
}

static bool isSpawn(LLVM::CallOp call) {
  return calleeOf(call).starts_with(AbiSpawnPrefix);
}
static bool isFor(LLVM::CallOp call) {
  return calleeOf(call).starts_with(AbiForPrefix);
}
static bool isSync(LLVM::CallOp call) { return calleeOf(call) == SyncName; }

/// The function a pointer is known to be the address of, or null.
static LLVM::AddressOfOp functionAddress(Value pointer) {
  return pointer.getDefiningOp<LLVM::AddressOfOp>();
}

//===----------------------------------------------------------------------===//
// Which functions are spawning
//===----------------------------------------------------------------------===//

namespace {

/// The graph of direct and spawned calls between the functions defined here.
struct CallGraph {
  struct Node {
    LLVM::LLVMFuncOp function;
    SmallVector<Node *> callees;
    bool hasMarker = false;
  };
  /// The root, which calls every function; scc_iterator starts here.
  Node root;
  llvm::MapVector<Operation *, std::unique_ptr<Node>> nodes;

  CallGraph(ModuleOp module, SymbolTable &symbols) {
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal()) {
        auto node = std::make_unique<Node>();
        node->function = function;
        root.callees.push_back(node.get());
        nodes.insert({function, std::move(node)});
      }
    auto connect = [&](Node &from, StringRef name) {
      auto it = nodes.find(symbols.lookup(name));
      if (it != nodes.end())
        from.callees.push_back(it->second.get());
    };
    for (auto &[operation, node] : nodes) {
      // The body of a loop is a part of its function.
      node->hasMarker = node->function.getName().starts_with(BodyPrefix);
      node->function.walk([&, &node = *node](LLVM::CallOp call) {
        node.hasMarker |= isSpawn(call) || isFor(call) || isSync(call);
        if (isSpawn(call) || isFor(call)) {
          if (auto address = functionAddress(call.getArgOperands()[0]))
            connect(node, address.getGlobalName());
        } else if (call.getCallee()) {
          connect(node, *call.getCallee());
        }
      });
    }
  }
};

} // namespace

namespace llvm {
template <> struct GraphTraits<CallGraph *> {
  using NodeRef = CallGraph::Node *;
  using ChildIteratorType = SmallVectorImpl<CallGraph::Node *>::iterator;
  static NodeRef getEntryNode(CallGraph *graph) { return &graph->root; }
  static ChildIteratorType child_begin(NodeRef node) {
    return node->callees.begin();
  }
  static ChildIteratorType child_end(NodeRef node) {
    return node->callees.end();
  }
};
} // namespace llvm

/// The functions with a marker, and those on a call cycle with one; with
/// `splitRecursion` those on any call cycle, and those that call one.
static llvm::SetVector<Operation *>
findSpawning(ModuleOp module, SymbolTable &symbols, bool splitRecursion) {
  CallGraph graph(module, symbols);
  llvm::SetVector<Operation *> spawning;
  auto calls = [&](CallGraph::Node *node) {
    return node != &graph.root &&
           llvm::any_of(node->callees, [&](CallGraph::Node *callee) {
             return spawning.contains(callee->function);
           });
  };
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc)
    if (llvm::any_of(*scc, [](auto *node) { return node->hasMarker; }) ||
        (splitRecursion && (scc.hasCycle() || llvm::any_of(*scc, calls))))
      for (CallGraph::Node *node : *scc)
        spawning.insert(node->function);
  return spawning;
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

/// The attributes of each argument from `first` on, or null if there are none.
static ArrayAttr argumentAttributes(LLVM::CallOp call, LLVM::LLVMFuncOp callee,
                                    unsigned first) {
  ArrayAttr attrs = call.getArgAttrsAttr();
  if (!attrs && callee)
    attrs = callee.getArgAttrsAttr();
  if (!attrs)
    return {};
  // A variadic callee declares fewer parameters than the call has arguments.
  SmallVector<Attribute> result(
      attrs.begin() + std::min<size_t>(first, attrs.size()), attrs.end());
  result.resize(call.getArgOperands().size() - first,
                DictionaryAttr::get(call.getContext()));
  bool any = llvm::any_of(result, [](Attribute dict) {
    return !cast<DictionaryAttr>(dict).empty();
  });
  return any ? ArrayAttr::get(call.getContext(), result) : ArrayAttr();
}

/// Fails for calling conventions other than C's, which a kernel could not call
/// back.
static LogicalResult raiseSpawn(LLVM::CallOp call, SymbolTable &symbols) {
  OpBuilder builder(call);
  auto marker = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
  auto args = call.getArgOperands();
  auto type = marker.getFunctionType();
  // The callee's type is the marker's without its first two parameters.
  auto signature = LLVM::LLVMFunctionType::get(
      type.getReturnType(), type.getParams().drop_front(2), type.isVarArg());

  FlatSymbolRefAttr callee, apply;
  Value target = args[0], destination = args[1];
  // An alias of a function is a pointer like others.
  auto address = functionAddress(target);
  if (address && symbols.lookup<LLVM::LLVMFuncOp>(address.getGlobalName())) {
    callee = address.getGlobalNameAttr();
    target = {};
  }
  if (call.getCConv() != LLVM::CConv::C)
    return call.emitError("cannot spawn a function of calling convention '")
           << stringifyCConv(call.getCConv()) << "'";
  if (destination.getDefiningOp<LLVM::ZeroOp>())
    destination = {};
  std::string applyName =
      (ApplyPrefix + call.getCallee()->drop_front(AbiSpawnPrefix.size())).str();
  if (destination && symbols.lookup(applyName))
    apply = FlatSymbolRefAttr::get(call.getContext(), applyName);
  cilk::SpawnOp::create(
      builder, call.getLoc(), callee, target, args.drop_front(2), destination,
      apply, TypeAttr::get(signature), argumentAttributes(call, marker, 2));
  call.erase();
  return success();
}

static void raiseCall(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
  OpBuilder builder(call);
  auto raised = cilk::CallOp::create(
      builder, call.getLoc(), call.getResultTypes(), call.getCalleeAttr(),
      call.getArgOperands(), TypeAttr::get(callee.getFunctionType()),
      argumentAttributes(call, callee, 0));
  call.replaceAllUsesWith(raised->getResults());
  call.erase();
}

/// Fails if the first operand is not the address of a function.
static LogicalResult raiseFor(LLVM::CallOp call) {
  auto args = call.getArgOperands();
  auto body = args.size() < 3 ? nullptr : functionAddress(args[0]);
  if (!body)
    return call.emitError("marks a loop without a body");
  Value grain = args[2];
  if (matchPattern(grain, m_Zero()))
    grain = {};
  OpBuilder builder(call);
  cilk::ForOp::create(builder, call.getLoc(), body.getGlobalNameAttr(),
                      args.drop_front(3), args[1], grain);
  call.erase();
  return success();
}

/// Whether a call agrees with its callee's definition; C without prototypes, or
/// with casts, need not.
static bool agrees(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
  return call.getCalleeFunctionType() == callee.getFunctionType() &&
         call.getCConv() == callee.getCConv() &&
         !callee.getFunctionType().isVarArg();
}

//===----------------------------------------------------------------------===//
// Cilk locks
//===----------------------------------------------------------------------===//

/// The most locks that are told apart: more may as well be held as not.
static constexpr unsigned manyLocks = 8;

/// Counts the Cilk locks that may be held after `op`.
static void passLocks(Operation &op, unsigned &held) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call)
    return;
  if (calleeOf(call) == "Cilk_lock")
    held = std::min(held + 1, manyLocks);
  else if (calleeOf(call) == "Cilk_unlock" && held && held != manyLocks)
    --held;
}

/// The calls at which a Cilk lock may be held. They are left as they are: a C
/// symbol runs nothing but its own descendants, whereas a caller that is split
/// makes way for whoever may want the lock.
static llvm::DenseSet<Operation *> findLockedCalls(LLVM::LLVMFuncOp function) {
  DenseMap<Block *, unsigned> entry;
  llvm::SetVector<Block *> work;
  work.insert(&function.front());
  llvm::DenseSet<Operation *> locked;
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    unsigned held = entry[block];
    for (Operation &op : *block) {
      if (held)
        locked.insert(&op);
      passLocks(op, held);
    }
    for (Block *successor : block->getSuccessors()) {
      auto [known, first] = entry.try_emplace(successor, held);
      if (!first && known->second >= held)
        continue;
      known->second = held;
      work.insert(successor);
    }
  }
  return locked;
}

namespace {
struct LLVMToCilk : public cilk2chan::impl::LLVMToCilkBase<LLVMToCilk> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto spawning = findSpawning(getOperation(), symbols, splitRecursion);
    for (Operation *function : spawning) {
      auto locked = findLockedCalls(cast<LLVM::LLVMFuncOp>(function));
      SmallVector<LLVM::CallOp> calls;
      function->walk([&](LLVM::CallOp call) { calls.push_back(call); });
      for (LLVM::CallOp call : calls) {
        if (isSpawn(call)) {
          if (failed(raiseSpawn(call, symbols)))
            return signalPassFailure();
        } else if (isFor(call)) {
          if (failed(raiseFor(call)))
            return signalPassFailure();
        } else if (isSync(call)) {
          OpBuilder builder(call);
          cilk::SyncOp::create(builder, call.getLoc());
          call.erase();
        } else if (call.getCallee()) {
          auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
          if (spawning.contains(callee) && agrees(call, callee) &&
              !locked.contains(call))
            raiseCall(call, callee);
        }
      }
    }
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (function.getName().starts_with(AbiSpawnPrefix) ||
          function.getName().starts_with(AbiForPrefix) ||
          function.getName() == SyncName)
        symbols.erase(function);
  }
};
} // namespace
