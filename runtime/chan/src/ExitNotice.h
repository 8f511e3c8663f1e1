//===- ExitNotice.h - Whether the process ends or the library is closed -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_EXITNOTICE_H
#define CHAN_SRC_EXITNOTICE_H

#include <semaphore.h>
#include <stdlib.h>

extern "C" int __cxa_atexit(void (*)(void *), void *, void *);

namespace chan {

/// Distinguishes a destructor that runs because the library is closed from one
/// that runs because the process ends.
///
/// exit() calls what was registered with it before it runs destructors. A
/// closed library removes its own functions from that list. So a function of
/// the C library is registered, without an owning library, with a semaphore on
/// the heap. Both still exist when this library does not.
class ExitNotice {
public:
  void order() {
    auto *space = static_cast<sem_t *>(malloc(sizeof(sem_t)));
    if (!space || sem_init(space, 0, 0) != 0)
      return free(space);
    // The C library ignores its result.
    auto *untyped = reinterpret_cast<void (*)()>(sem_post);
    if (__cxa_atexit(reinterpret_cast<void (*)(void *)>(untyped), space,
                     /*library=*/space) == 0)
      notice = space;
    else
      free(space);
  }
  /// Also false if it is not known.
  bool isOfLibrary() const {
    int posted = 1;
    return notice && sem_getvalue(notice, &posted) == 0 && posted == 0;
  }

private:
  sem_t *notice = nullptr;
};

} // namespace chan

#endif // CHAN_SRC_EXITNOTICE_H
