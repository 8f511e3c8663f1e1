# ===- harness.py - Runs and counts, for run_workloads.py and generate.py -----===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Processes with a time limit and a memory reading, and the tally of results.

Thread safety: `run` may be called from any thread; a `Tally` locks itself.
"""

import argparse
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple, Optional

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUPPORT = ROOT / "test" / "Support"

# The serial elision recurses on the C stack where the compiled program must not
# need to, so only the elision gets more of it.
DEEP_STACK = ["sh", "-c", 'ulimit -s $(ulimit -H -s); exec "$0" "$@"']


class Result(NamedTuple):
    """How a process ended. `status` is negative for a signal, and None when the
    time limit passed; `maxrss_mb` is its peak resident memory in MiB; `cpu_seconds` is
    the processor time of all its threads and of the children it waited for."""

    status: Optional[int]
    stdout: str
    stderr: str
    maxrss_mb: float
    seconds: float
    cpu_seconds: float


class Config(NamedTuple):
    """One way to run a compiled program. `width` None is the default width."""

    workers: int
    width: Optional[int]

    def environment(self):
        env = {"CHAN_WORKERS": str(self.workers)}
        if self.width is not None:
            env["CHAN_WIDTH"] = str(self.width)
        return env

    def __str__(self):
        return " ".join(f"{k}={v}" for k, v in self.environment().items())


class MachineConfig(NamedTuple):
    """A run on a simulated machine. `width` is that of channels; None is the machine's."""

    cores: int = 1
    target: str = "vgiw"
    width: Optional[int] = None

    def changes(self):
        cores = [] if self.cores == 1 else [f"cores={self.cores}"]
        return cores + ([f"channel.width={self.width}"] if self.width is not None else [])

    def environment(self):
        """Behind what the caller sets of the machine."""
        if not self.changes():
            return {}
        caller = os.environ.get("CHANSIM_SET")
        return {"CHANSIM_SET": ",".join(filter(None, [caller, *self.changes()]))}

    def __str__(self):
        return " ".join([self.target, *self.changes()])


ALL_CONFIGS = [Config(w, width) for w in (1, 2, 8) for width in (64, None)]
QUICK_CONFIGS = [Config(1, None), Config(8, 64)]


def run(command, env=None, timeout=60.0, folder=None):
    """Runs `command` without stdin; `env` is added to the environment, from which
    all CHAN_ variables of the caller are dropped. `timeout` is in seconds; when it
    passes, the whole process group is killed. It runs in `folder`, or here."""
    full = {k: v for k, v in os.environ.items() if not k.startswith("CHAN_")}
    full.update(env or {})
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen(
            [str(c) for c in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=full,
            cwd=folder,
            start_new_session=True,
        )
        late = threading.Event()

        def kill():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, kill)
        timer.start()
        # wait4 and not wait: it alone gives this one child's peak memory.
        _, code, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(code)
        seconds = time.monotonic() - start
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        status = None if late.is_set() else process.returncode
        cpu = usage.ru_utime + usage.ru_stime
        return Result(status, *texts, usage.ru_maxrss / 1024, seconds, cpu)


def describe(status):
    """An exit status in words."""
    if status is None:
        return "timed out"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"exit status {status}"


def command_line(command, env=None):
    """A command as one would type it."""
    words = [f"{k}={v}" for k, v in (env or {}).items()]
    return " ".join(words + [shlex.quote(str(c)) for c in command])


class Tally:
    """Counts passed and failed checks and prints progress."""

    def __init__(self, total, verbose=False):
        self.total, self.done = total, 0
        self.passed, self.failed = 0, 0
        self.verbose = verbose
        self.failures = []
        self._lock = threading.Lock()

    def check(self, name, problem, details=""):
        """One check; `problem` is empty when it passed."""
        with self._lock:
            if not problem:
                self.passed += 1
                return
            self.failed += 1
            self.failures.append(name)
            print(f"FAIL: {name}: {problem}")
            if details:
                print("  " + details.rstrip().replace("\n", "\n  "))
            sys.stdout.flush()

    def say(self, text):
        with self._lock:
            print(text, flush=True)

    def step(self, name):
        """One of `total` units of work is finished."""
        with self._lock:
            self.done += 1
            if sys.stdout.isatty() and not self.verbose:
                print(f"\r[{self.done}/{self.total}] {name:<50.50}", end="\r")
            elif self.verbose or self.done % 20 == 0 or self.done == self.total:
                print(f"[{self.done}/{self.total}] {name}")
            sys.stdout.flush()

    def close(self):
        """Prints the closing line; returns the exit status."""
        if sys.stdout.isatty():
            print(" " * 70, end="\r")
        for name in self.failures:
            print(f"failed: {name}")
        print(f"{self.passed} passed, {self.failed} failed")
        return 0 if self.passed and not self.failed else 1


def shorten(text, lines=15):
    """The first lines of a long text."""
    parts = text.splitlines()
    rest = len(parts) - lines
    return "\n".join(parts[:lines] + ([f"... {rest} more lines"] if rest > 0 else []))


def argument_parser(description):
    """A command line's parser, with what all runners have."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    compiler = ROOT / "build" / "bin" / "cilk2chan"
    parser.add_argument("--cilk2chan", type=pathlib.Path, default=compiler)
    parser.add_argument("--clang", default=shutil.which("clang-22") or "clang")
    return parser


def add_widths(parser):
    """The option with which each program runs on a simulated machine once for each width."""
    parser.add_argument(
        "--widths",
        nargs="+",
        default=[None],
        type=lambda text: None if text == "default" else int(text),
        metavar="N",
        help="widths of channels on a simulated machine; 'default' is the machine's own",
    )


def check_widths(parser, options):
    if options.target == "host" and options.widths != [None]:
        parser.error("--widths is for simulated machines; say --target too")


def find_compiler(parser, options, needed=True):
    """Makes the compiler's path absolute, or ends with a message."""
    if needed and not shutil.which(options.cilk2chan):
        parser.error(f"no compiler at '{options.cilk2chan}'; see --cilk2chan")
    options.cilk2chan = options.cilk2chan.absolute()
