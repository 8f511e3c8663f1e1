//===- tbb.h - oneTBB's task_group ------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_group.h>
#include <tuple>

#define DEFINE(T, f, parameters, names) static T f parameters
#define GROUP tbb::task_group peer_group
#define FORK(to, f, ...)                                                       \
  peer_group.run(                                                              \
      [peer_to = &(to), peer_packed = std::make_tuple(__VA_ARGS__)] {          \
        *peer_to = std::apply(f, peer_packed);                                 \
      })
#define FORK_VOID(f, ...)                                                      \
  peer_group.run([peer_packed = std::make_tuple(__VA_ARGS__)] {                \
    std::apply(f, peer_packed);                                                \
  })
#define WAIT peer_group.wait()
#define START                                                                  \
  tbb::global_control peer_limit(tbb::global_control::max_allowed_parallelism, \
                                 peer_workers())
#define STOP ((void)0)
#define RUN(to, f, ...) to = f(__VA_ARGS__)
#define RUN_VOID(f, ...) f(__VA_ARGS__)
