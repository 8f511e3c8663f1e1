//===- Overflow.cpp - Reporting an exhausted stack ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overflow.h"
#include "Worker.h"

#include <signal.h>
#include <unistd.h>

namespace chan {
namespace {

struct sigaction previousAction;

void onFault(int signal, siginfo_t *info, void *context) {
  Worker *worker = Worker::currentIfAny();
  if (worker && worker->stack.holdsGuard(info->si_addr)) {
    const auto *level = static_cast<const Level *>(worker->level);
    (Message() << "out of memory: channel '"
               << (worker->running ? worker->running->name : "(none)")
               << "', level " << uint64_t(level ? level->depth : 0)
               << ": needs more than the stack of "
               << uint64_t(worker->stack.size())
               << " bytes (CHAN_STACK), holding "
               << uint64_t(worker->memory.held()))
        .print();
    // In a signal handler: nothing else may run.
    _exit(1);
  }
  if (previousAction.sa_flags & SA_SIGINFO) {
    previousAction.sa_sigaction(signal, info, context);
  } else if (previousAction.sa_handler == SIG_DFL ||
             previousAction.sa_handler == SIG_IGN) {
    // The faulting instruction runs again and causes the default action.
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
  } else {
    previousAction.sa_handler(signal);
  }
}

} // namespace

void installOverflowHandler() {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previousAction);
}

void removeOverflowHandler() {
  struct sigaction present;
  // If the program has installed another handler since, that handler stays.
  if (sigaction(SIGSEGV, nullptr, &present) == 0 &&
      (present.sa_flags & SA_SIGINFO) && present.sa_sigaction == onFault)
    sigaction(SIGSEGV, &previousAction, nullptr);
}

} // namespace chan
