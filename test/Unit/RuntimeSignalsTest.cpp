//===- RuntimeSignalsTest.cpp - Signals in tasks and beside them ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two workers run two tasks, each of which waits for the other to begin. So one
// of them runs in a thread of the pool, however long that takes.
//===----------------------------------------------------------------------===//

#include "InProcess.h"
#include "Pool.h"
#include "RuntimeKernels.h"
#include "Signals.h"
#include "Slots.h"

#include <csignal>
#include <dirent.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;
using RuntimeSignalsDeathTest = InProcess;

namespace {

using Task = Element<void (*)()>;

std::atomic<int> arrived;
bool isInPool() { return chan::Worker::current().thread.ofPool; }

/// Waits until `number` threads have come here.
void meet(std::atomic<int> &place, int number) {
  ++place;
  while (place < number)
    usleep(100);
}

void pairKernel(chan_worker *, chan_block *block, uint32_t i) {
  meet(arrived, 2);
  Task::get<0>(block, i)();
}
const chan_channel PairKernel =
    makeChannel<Task, pairKernel, CHAN_ENTRY>("one.0");
const chan_channel PairRoot =
    makeChannel<Task,
                +[](chan_worker *worker, chan_block *block, uint32_t i) {
                  for (int k = 0; k != 2; ++k)
                    Task::send(worker, PairKernel, Task::get<0>(block, i));
                },
                CHAN_ENTRY>("pair.0");

/// Runs the body at once in the calling thread and in one of the pool.
void runInBoth(void (*body)()) {
  arrived = 0;
  Task::call(PairRoot, body);
}

void install(int signal, void (*handler)(int, siginfo_t *, void *),
             int flags = 0) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

thread_local int handled;
void countHandled(int, siginfo_t *info, void *) {
  handled += info->si_code == SI_QUEUE ? info->si_value.sival_int : 1;
}
std::atomic<int> inOwn, inPool;

/// The masks of all threads of the pool, as the system has them.
template <typename Check> int countPoolThreads(Check check) {
  int number = 0;
  DIR *directory = opendir("/proc/self/task");
  while (dirent *entry = readdir(directory)) {
    pid_t thread = atoi(entry->d_name);
    bool isWorkers = false;
    for (uint32_t i = 0; i != chan::Slots::count(); ++i)
      if (chan::Worker *worker = chan::Slots::at(i))
        isWorkers |= worker->thread.number == thread;
    if (!isWorkers || thread == gettid())
      continue;
    ++number;
    check(chan::ThreadStatus(thread).signals().value_or(0));
  }
  closedir(directory);
  return number;
}

void block(int how, std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : signals)
    sigaddset(&set, signal);
  pthread_sigmask(how, &set, nullptr);
}

} // namespace

TEST_F(RuntimeSignalsDeathTest, SignalsThatATaskRaisesReachIt) {
  EXPECT_IN_PROCESS("2", [] {
    for (int signal : {SIGUSR1, SIGPROF, SIGVTALRM, SIGALRM, SIGCHLD, SIGTERM,
                       SIGRTMIN + 1, SIGSEGV, SIGFPE})
      install(signal, countHandled);
    runInBoth([] {
      handled = 0;
      // By raise, by pthread_kill, and with a value, to the thread.
      for (int signal : {SIGUSR1, SIGPROF, SIGVTALRM, SIGALRM, SIGCHLD, SIGTERM,
                         SIGRTMIN + 1})
        raise(signal);
      pthread_kill(pthread_self(), SIGUSR1);
      sigval value;
      value.sival_int = 100;
      pthread_sigqueue(pthread_self(), SIGRTMIN + 1, value);
      usleep(1); // ThreadSanitizer delivers it at a system call
      (isInPool() ? inPool : inOwn) += handled;
    });
    EXPECT_EQ(inOwn, 108);
    EXPECT_EQ(inPool, 108);
  });
}

TEST_F(RuntimeSignalsDeathTest, DefaultActionsOfRaisedSignalsAreTaken) {
  for (int signal : {SIGTERM, SIGINT, SIGUSR1, SIGVTALRM}) {
    static int raised;
    raised = signal;
    EXPECT_EXIT(std::exit(inProcess("2",
                                    [] {
                                      std::signal(raised, SIG_DFL);
                                      runInBoth([] {
                                        if (isInPool())
                                          raise(raised);
                                        else
                                          for (;;)
                                            pause();
                                      });
                                    })),
                testing::KilledBySignal(signal), "")
        << signal;
  }
}

TEST_F(RuntimeSignalsDeathTest, FaultsOfATaskReachTheProgramsHandlers) {
  static int fault;
  for (fault = 0; fault != 4; ++fault)
    EXPECT_EXIT(
        std::exit(inProcess("2",
                            [] {
                              for (int signal : {SIGSEGV, SIGILL, SIGBUS,
                                                 SIGFPE, SIGTRAP, SIGABRT})
                                install(signal, [](int, siginfo_t *, void *) {
                                  _exit(isInPool() ? 40 + fault : 99);
                                });
                              runInBoth([] {
                                if (!isInPool())
                                  for (;;)
                                    pause();
                                if (fault == 0)
                                  *static_cast<volatile char *>(mmap(
                                      nullptr, 4096, PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) = 1;
                                if (fault == 1)
                                  __builtin_trap();
                                if (fault == 2)
                                  raise(SIGFPE);
                                if (fault == 3)
                                  abort();
                              });
                            })),
        testing::ExitedWithCode(40 + fault), "")
        << fault;
}

TEST_F(RuntimeSignalsDeathTest, ATaskHasTheMaskOfTheThreadThatOfferedIt) {
  EXPECT_IN_PROCESS("2", [] {
    // In turn, also when the threads of the pool are there already.
    for (int blocked : {SIGUSR2, SIGTERM, SIGRTMIN + 3}) {
      static chan::SignalMask own;
      static chan::SignalMask pool;
      block(SIG_BLOCK, {blocked});
      runInBoth([] { (isInPool() ? pool : own) = chan::blockedSignals(); });
      EXPECT_EQ(own, pool);
      EXPECT_TRUE(pool & chan::bitOf(blocked));
      EXPECT_FALSE(pool & chan::bitOf(SIGUSR1));
      block(SIG_UNBLOCK, {blocked});
    }
  });
}

TEST_F(RuntimeSignalsDeathTest, ATaskHasNotTheMaskOfItsParentsHandler) {
  EXPECT_IN_PROCESS("2", [] {
    // The thread of the program spends a tenth of its time in a handler, which
    // blocks the signal. A thread of the pool takes the other task meanwhile.
    install(SIGUSR1, [](int, siginfo_t *, void *) { usleep(10); });
    static chan::SignalMask pool;
    static std::atomic<bool> isOver;
    for (int round = 0; round != 100; ++round) {
      isOver = false;
      auto body = [] {
        if (isInPool()) {
          pool = chan::blockedSignals();
          isOver = true;
        }
        while (!isOver) {
          raise(SIGUSR1);
          usleep(100);
        }
      };
      arrived = 2; // they need not wait for each other
      Task::call(PairRoot, body);
      EXPECT_FALSE(pool & chan::bitOf(SIGUSR1)) << round;
    }
  });
}

TEST_F(RuntimeSignalsDeathTest, PoolThreadsTakeNoSignalsBetweenTrees) {
  EXPECT_IN_PROCESS("2", [] {
    install(SIGUSR1, countHandled);
    for (int round = 0; round != 20; ++round) {
      runInBoth([] {});
      // From the moment when the tree is over.
      EXPECT_EQ(1, countPoolThreads([](chan::SignalMask mask) {
                  for (int signal : {SIGUSR1, SIGTERM, SIGPROF, SIGALRM})
                    EXPECT_TRUE(mask & chan::bitOf(signal)) << signal;
                  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS})
                    EXPECT_FALSE(mask & chan::bitOf(signal)) << signal;
                }));
      // So a signal to the process waits for the program's own thread.
      block(SIG_BLOCK, {SIGUSR1});
      handled = 0;
      kill(getpid(), SIGUSR1);
      EXPECT_EQ(handled, 0);
      sigset_t pending;
      sigpending(&pending);
      EXPECT_TRUE(sigismember(&pending, SIGUSR1));
      block(SIG_UNBLOCK, {SIGUSR1});
      EXPECT_EQ(handled, 1);
    }
  });
}

TEST_F(RuntimeSignalsDeathTest, ASignalThatAllThreadsBlockStaysPending) {
  EXPECT_IN_PROCESS("2", [] {
    // SIGTERM would end the process, wherever it was delivered.
    block(SIG_BLOCK, {SIGTERM, SIGUSR1});
    static std::atomic<int> received{0};
    std::thread waits([] {
      sigset_t set;
      sigemptyset(&set);
      sigaddset(&set, SIGTERM);
      sigaddset(&set, SIGUSR1);
      for (int signal = 0; received < 100 && sigwait(&set, &signal) == 0;)
        ++received;
    });
    while (received < 100)
      runInBoth([] {
        // Sent to the process while both run.
        int before = received;
        kill(getpid(), isInPool() ? SIGTERM : SIGUSR1);
        while (received == before && received < 100)
          usleep(100);
      });
    waits.join();
    EXPECT_GE(received, 100);
  });
}

TEST_F(RuntimeSignalsDeathTest, TimersOfTheProcessReachATask) {
  EXPECT_IN_PROCESS("2", [] {
    static std::atomic<int> ticked;
    for (int signal : {SIGPROF, SIGVTALRM, SIGALRM})
      install(signal, [](int, siginfo_t *, void *) { ++ticked; }, SA_RESTART);
    for (int timer : {ITIMER_PROF, ITIMER_VIRTUAL, ITIMER_REAL}) {
      ticked = 0;
      itimerval every = {};
      every.it_interval.tv_usec = every.it_value.tv_usec = 1000;
      setitimer(timer, &every, nullptr);
      runInBoth([] {
        while (ticked < 5) // computes, for those that count that
          ;
      });
      itimerval never = {};
      setitimer(timer, &never, nullptr);
    }
    EXPECT_GE(ticked, 5);
  });
}

TEST_F(RuntimeSignalsDeathTest, AHandlerOfATaskMayAskForASignalStack) {
  EXPECT_IN_PROCESS("2", [] {
    static std::atomic<int> onStack;
    install(
        SIGUSR1,
        [](int, siginfo_t *, void *) {
          stack_t stack;
          sigaltstack(nullptr, &stack);
          onStack += stack.ss_flags & SS_ONSTACK ? 1 : 0;
        },
        SA_ONSTACK);
    runInBoth([] { raise(SIGUSR1); });
    EXPECT_EQ(onStack, 2);
  });
}

TEST_F(RuntimeSignalsDeathTest, AStoppedProcessGoesOnWhereItWas) {
  EXPECT_IN_PROCESS("2", [] {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k != 20; ++k) {
        usleep(2000);
        kill(parent, SIGSTOP);
        kill(parent, SIGCONT);
      }
      _exit(0);
    }
    static std::atomic<bool> isOver;
    std::thread waits([=] {
      waitpid(child, nullptr, 0);
      isOver = true;
    });
    while (!isOver)
      EXPECT_EQ(fib(18), 2584);
    waits.join();
  });
}

TEST_F(RuntimeSignalsDeathTest, AProcessThatATaskStartsHasTheProgramsMask) {
  EXPECT_IN_PROCESS("2", [] {
    block(SIG_BLOCK, {SIGUSR2});
    runInBoth([] {
      if (!isInPool())
        return;
      int status = std::system("exec grep -q '^SigBlk:.*0000000000000800$' "
                               "/proc/self/status");
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    });
  });
}

TEST_F(RuntimeSignalsDeathTest, TheMaskOfAnotherThreadIsRead) {
  static std::atomic<int> number;
  static std::atomic<bool> isOver;
  std::thread other([] {
    block(SIG_SETMASK, {SIGUSR2, SIGRTMIN + 5});
    number = gettid();
    while (!isOver)
      usleep(100);
  });
  while (!number)
    usleep(100);
  EXPECT_EQ(chan::ThreadStatus(number).signals(),
            chan::bitOf(SIGUSR2) | chan::bitOf(SIGRTMIN + 5));
  isOver = true;
  other.join();
  EXPECT_FALSE(chan::ThreadStatus(-1).signals());
}

#endif
