//===- libfork.h - libfork's coroutines -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang optimises loops less that are inlined into a coroutine. A task gets
// itself as its first parameter, by its own name. alloca would be on a stack
// that others use while the coroutine waits: arrays are on libfork's.
//
//===----------------------------------------------------------------------===//

#include <libfork.hpp>

static lf::lazy_pool *peer_pool;

#define DEFINE(T, f, parameters, names)                                        \
  struct f##_type {                                                            \
    template <typename peer_self>                                              \
    lf::task<T> operator()(peer_self f, BARE parameters) const;                \
  };                                                                           \
  inline constexpr f##_type f;                                                 \
  template <typename peer_self>                                                \
  lf::task<T> f##_type::operator()(peer_self f, BARE parameters) const
#define GROUP ((void)0)
#define LEAVE(value) co_return value
#define LEAVE_VOID co_return
#define RETURN(value) co_return value
#define RETURN_VOID co_return
#define FORK(to, f, ...) co_await lf::fork(&(to), f)(__VA_ARGS__)
#define FORK_VOID(f, ...) co_await lf::fork(f)(__VA_ARGS__)
#define CALL_TO(to, f, ...) co_await lf::call(&(to), f)(__VA_ARGS__)
#define CALL_VOID(f, ...) co_await lf::call(f)(__VA_ARGS__)
#define WAIT co_await lf::join
#define SERIAL(f, ...)                                                         \
  [](auto... peer_given)                                                       \
      __attribute__((noinline)) { return f(peer_given...); }(__VA_ARGS__)
#define ARRAY(type, name, count)                                               \
  auto name##_owner = co_await lf::co_new<type>(count);                        \
  type *name = name##_owner.template get<0>().data()
#define START                                                                  \
  lf::lazy_pool peer_threads(peer_workers());                                  \
  peer_pool = &peer_threads
#define STOP ((void)0)
#define RUN(to, f, ...) to = lf::sync_wait(*peer_pool, f, __VA_ARGS__)
#define RUN_VOID(f, ...) lf::sync_wait(*peer_pool, f, __VA_ARGS__)
