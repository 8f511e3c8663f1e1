//===- RuntimeEndTest.cpp - How threads and processes end -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Driver/last-thread.c tests processes whose first thread ends by
// pthread_exit, which must not unwind frames of GoogleTest.
//===----------------------------------------------------------------------===//

#include "InProcess.h"
#include "Pool.h"
#include "RuntimeKernels.h"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;
using RuntimeEndDeathTest = InProcess;

namespace {

using Task = Element<int>;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_UNDER_TSAN 1
#endif
#endif
#if defined(TEST_UNDER_TSAN)
#define SKIP_UNDER_TSAN()                                                      \
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a forked process"
#else
#define SKIP_UNDER_TSAN() (void)0
#endif

/// A cancellation point that also lets other threads run.
void rest() {
  sched_yield();
  pthread_testcancel();
#if !defined(TEST_UNDER_TSAN)
  // If a thread is cancelled inside a call that ThreadSanitizer intercepts, its
  // locks are ignored from then on.
  usleep(10);
#endif
}

bool isInPool() { return chan::Worker::current().thread.ofPool; }

/// Runs the body of the root with a number, after the root has spawned the
/// children. Each child's body gets its index.
template <void (*Root)(chan_worker *, int), void (*Child)(int), int Children>
void runTree(int number) {
  static const chan_channel child =
      makeChannel<Task,
                  +[](chan_worker *, chan_block *block, uint32_t i) {
                    Child(Task::get<0>(block, i));
                  },
                  CHAN_ENTRY>("child.0");
  static const chan_channel parent =
      makeChannel<Task,
                  +[](chan_worker *worker, chan_block *block, uint32_t i) {
                    for (int k = 0; k != Children; ++k)
                      Task::send(worker, child, k);
                    Root(worker, Task::get<0>(block, i));
                  },
                  CHAN_ENTRY>("parent.0");
  Task::call(parent, number);
}

int countThreads() {
  int number = 0;
  DIR *directory = opendir("/proc/self/task");
  while (dirent *entry = readdir(directory))
    number += entry->d_name[0] != '.';
  closedir(directory);
  return number;
}

/// Two children, each of which waits for the other. So one of them runs in a
/// thread of the pool.
std::atomic<int> arrived;
void usePool() {
  runTree<+[](chan_worker *, int) {},
          +[](int) {
            int own = ++arrived;
            while (arrived < (own + 1) / 2 * 2)
              usleep(100);
          },
          2>(0);
}

std::atomic<int> began, ended, released;

/// Children wait until they may end.
void waitForRelease(int) {
  ++began;
  while (!released)
    usleep(100);
  usleep(1000); // so that a thread that does not wait for them is noticed
  ++ended;
}

} // namespace

TEST_F(RuntimeEndDeathTest, PoolThreadsEndWhenNoThreadHasEntered) {
  EXPECT_IN_PROCESS("4", [] {
    alarm(60);
    // A sanitizer may have a thread of its own from the start.
    std::thread([] {}).join();
    int before = countThreads();
    for (int round = 0; round != 3; ++round) {
      std::thread([] {
        usePool();
        EXPECT_EQ(fib(20), 6765);
      }).join();
      while (countThreads() > before)
        usleep(1000);
    }
  });
}

TEST_F(RuntimeEndDeathTest, PoolThreadsStayWhileAThreadHasEntered) {
  EXPECT_IN_PROCESS("2", [] {
    usePool();
    int before = countThreads();
    std::thread(usePool).join();
    usleep(300'000); // longer than they are kept when no thread has entered
    EXPECT_EQ(countThreads(), before);
  });
}

TEST_F(RuntimeEndDeathTest, ManyThreadsOneAfterAnother) {
  EXPECT_IN_PROCESS("2", [] {
    for (int round = 0; round != 20; ++round) {
      std::thread([] { EXPECT_EQ(fib(16), 987); }).join();
      usleep(round % 4 * 40'000);
    }
  });
}

TEST_F(RuntimeEndDeathTest, PthreadExitInTheRootEndsTheThread) {
  for (const char *workers : {"1", "2", "8"})
    EXPECT_IN_PROCESS(workers, [] {
      alarm(60);
      for (int round = 0; round != 10; ++round) {
        began = ended = released = 0;
        pthread_t thread;
        pthread_create(
            &thread, nullptr,
            [](void *) -> void * {
              runTree<+[](chan_worker *worker, int) {
                if (chan::Pool::workers() > 1) {
                  chan_poll(worker); // reserves the children
                  while (!began)
                    usleep(100);
                }
                released = 1;
                pthread_exit(&began);
              },
                      waitForRelease, 20>(0);
              return nullptr;
            },
            nullptr);
        void *result = nullptr;
        pthread_join(thread, &result);
        EXPECT_EQ(result, &began);
        // Tasks that had begun have ended; the others do not begin.
        EXPECT_EQ(began, ended);
        int before = began;
        EXPECT_EQ(fib(20), 6765);
        EXPECT_EQ(began, before);
      }
    });
}

TEST_F(RuntimeEndDeathTest, PthreadExitInATaskOfAnotherWorkerIsRefused) {
  EXPECT_EXIT(
      {
        inProcess("2", [] {
          alarm(60);
          runTree<+[](chan_worker *, int) {},
                  +[](int) {
                    ++began;
                    while (began < 2)
                      usleep(100);
                    if (isInPool())
                      pthread_exit(nullptr);
                    for (;;)
                      pause();
                  },
                  2>(0);
        });
      },
      testing::ExitedWithCode(1),
      "cilk2chan: pthread_exit in a task that another worker had spawned");
}

/// A thread is cancelled in a kernel, or in a clone, while thieves run some
/// tasks.
TEST_F(RuntimeEndDeathTest, AThreadIsCancelledInItsTree) {
  for (const char *workers : {"1", "2", "8"})
    EXPECT_IN_PROCESS(workers, [] {
      alarm(100);
      for (int round = 0; round != 15; ++round) {
        static std::atomic<int> runs;
        runs = 0;
        pthread_t thread;
        pthread_create(
            &thread, nullptr,
            [](void *) -> void * {
              for (;;)
                runTree<+[](chan_worker *, int) { rest(); },
                        +[](int) {
                          ++runs;
                          rest();
                        },
                        50>(0);
            },
            nullptr);
        while (runs < 20 * round)
          usleep(100);
        pthread_cancel(thread);
        void *result = nullptr;
        pthread_join(thread, &result);
        EXPECT_EQ(result, PTHREAD_CANCELED);
        int before = runs;
        EXPECT_EQ(fib(18), 2584);
        EXPECT_EQ(runs, before);
      }
    });
}

TEST_F(RuntimeEndDeathTest, CleanupHandlersOfACancelledThreadMayEnter) {
  EXPECT_IN_PROCESS("2", [] {
    alarm(60);
    static std::atomic<int> result;
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void *) -> void * {
          pthread_cleanup_push([](void *) { result = fib(20); }, nullptr);
          runTree<+[](chan_worker *, int) { rest(); },
                  +[](int) {
                    ++began;
                    for (int k = 0; k != 1000 || !isInPool(); ++k)
                      rest();
                    ++ended;
                  },
                  2>(0);
          pthread_cleanup_pop(0);
          return nullptr;
        },
        nullptr);
    while (began < 2)
      usleep(100);
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
    EXPECT_EQ(result, 6765);
    // The child in the thread of the pool ran to its end.
    EXPECT_EQ(ended, 1);
  });
}

TEST_F(RuntimeEndDeathTest, QuickExitAndExitDoNotWaitForTasks) {
  static int how;
  for (how = 0; how != 3; ++how)
    EXPECT_EXIT(
        {
          inProcess("2", [] {
            alarm(60);
            std::at_quick_exit([] { _exit(9); });
            runTree<+[](chan_worker *, int) {},
                    +[](int) {
                      ++began;
                      while (began < 2)
                        usleep(100);
                      if (!isInPool())
                        for (;;)
                          pause();
                      how == 0   ? std::quick_exit(1)
                      : how == 1 ? _exit(9)
                                 : std::exit(9);
                    },
                    2>(0);
          });
        },
        testing::ExitedWithCode(9), "");
}

TEST_F(RuntimeEndDeathTest, ExecInATaskReplacesTheProcess) {
  EXPECT_EXIT(
      {
        inProcess("2", [] {
          alarm(60);
          runTree<+[](chan_worker *, int) {},
                  +[](int) {
                    ++began;
                    while (began < 2)
                      usleep(100);
                    if (isInPool())
                      execl("/bin/sh", "sh", "-c", "exit 12", nullptr);
                    for (;;)
                      pause();
                  },
                  2>(0);
        });
      },
      testing::ExitedWithCode(12), "");
}

TEST_F(RuntimeEndDeathTest, AForkBesideTheTreesOfOtherThreadsWorks) {
  SKIP_UNDER_TSAN();
  EXPECT_IN_PROCESS("3", [] {
    alarm(100);
    static std::atomic<bool> isOver;
    std::thread other([] {
      while (!isOver)
        usePool(), fib(18);
    });
    for (int round = 0; round != 30; ++round) {
      usePool();
      pid_t child = fork();
      if (child == 0) {
        alarm(60);
        arrived = 0;
        usePool();
        _exit(fib(18) == 2584 ? 0 : 1);
      }
      int status = -1;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    isOver = true;
    other.join();
  });
}

#endif
