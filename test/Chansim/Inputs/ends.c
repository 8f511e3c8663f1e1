// ends.c - All ways in which a process can end, after it has run kernels.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}

static void handle(void) { printf("handler\n"); }

int main(int argc, char **argv) {
  const char *end = argv[1];
  atexit(handle);
  volatile int n = 7;
  for (int i = argc > 2 ? atoi(argv[2]) : 1; i > 0; i--)
    if (fib(n) != 13)
      return 9;
  if (!strcmp(end, "kill"))
    kill(getpid(), SIGKILL);
  if (!strcmp(end, "abort"))
    abort();
  if (!strcmp(end, "exit"))
    exit(0);
  if (!strcmp(end, "quick_exit"))
    quick_exit(0);
  if (!strcmp(end, "_exit"))
    _exit(0);
  if (!strcmp(end, "_exit3"))
    _exit(3);
  if (!strcmp(end, "exec"))
    execlp("true", "true", NULL);
  if (!strcmp(end, "elsewhere"))
    return chdir("/");
  if (!strcmp(end, "fork")) {
    pid_t child = fork();
    if (!child)
      exit(fib(6) != 8);
    int status;
    return waitpid(child, &status, 0) != child || status;
  }
  return strcmp(end, "status") ? 0 : 3;
}
