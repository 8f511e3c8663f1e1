//===- taskflow.h - Taskflow's task groups ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <taskflow/taskflow.hpp>
#include <tuple>

static tf::Executor *peer_executor;

#define DEFINE(T, f, parameters, names) static T f parameters
#define GROUP tf::TaskGroup peer_group = peer_executor->task_group()
#define FORK(to, f, ...)                                                       \
  peer_group.silent_async(                                                     \
      [peer_to = &(to), peer_packed = std::make_tuple(__VA_ARGS__)] {          \
        *peer_to = std::apply(f, peer_packed);                                 \
      })
#define FORK_VOID(f, ...)                                                      \
  peer_group.silent_async([peer_packed = std::make_tuple(__VA_ARGS__)] {       \
    std::apply(f, peer_packed);                                                \
  })
#define WAIT peer_group.corun()
#define START                                                                  \
  tf::Executor peer_threads(peer_workers());                                   \
  peer_executor = &peer_threads
#define STOP ((void)0)
#define RUN(to, f, ...) peer_executor->async([&] { to = f(__VA_ARGS__); }).get()
#define RUN_VOID(f, ...) peer_executor->async([&] { f(__VA_ARGS__); }).get()
