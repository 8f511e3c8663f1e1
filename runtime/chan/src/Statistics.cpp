//===- Statistics.cpp - What CHAN_STATS writes ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "Memory.h"
#include "StatisticsSummary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace chan {
namespace {

class Writer {
public:
  Writer(Output &out, const Rows &rows, uint64_t nanoseconds, uint32_t workers)
      : out(out), rows(rows), tasks(rows), nanoseconds(nanoseconds),
        workers(workers) {}

  void writeSummary() {
    chan::writeSummary(out, rows, tasks, nanoseconds, workers);
  }
  void writeLevels();
  void writeJSON();

private:
  void writeLine(const Sum &sum, const char *name, bool withLevel);
  void writeObject(const Sum &sum);

  Output &out;
  const Rows &rows;
  Tasks tasks;
  uint64_t nanoseconds;
  uint32_t workers;
};

} // namespace

void Writer::writeLine(const Sum &sum, const char *name, bool withLevel) {
  char form[24], level[16] = "all", lanes[16] = "-", inside[24] = "-";
  nameForm(form, sum.row->form);
  if (withLevel)
    snprintf(level, sizeof level, "%u%s", sum.row->level,
             sum.row->level == kDeepLevel ? "+" : "");
  if (sum.lanes)
    snprintf(lanes, sizeof lanes, "%llu.%llu", Number(sum.occupancy() / 10),
             Number(sum.occupancy() % 10));
  if (sum.row->form.kind == Form::clone && !sum.uncounted)
    snprintf(inside, sizeof inside, "%llu", Number(sum.tasks));
  out.print("%-20s %-11s %5s %12llu %10llu %6s %8llu %8llu %13llu ", name, form,
            level, Number(sum.elements), Number(sum.calls), lanes,
            Number(sum.yields), Number(sum.stolen), Number(sum.bytes));
  char time[24];
  uint64_t microseconds = sum.nanoseconds() / 1000;
  snprintf(time, sizeof time, "%llu.%03llu", Number(microseconds / 1000),
           Number(microseconds % 1000));
  out.print("%10s %12s\n", time, inside);
}

void Writer::writeLevels() {
  out.print("\n%-20s %-11s %5s %12s %10s %6s %8s %8s %13s %10s %12s\n",
            "kernel", "form", "level", "elements", "calls", "lanes%", "yields",
            "stolen", "bytes", "ms", "tasks inside");
  rows.forEach(
      0, rows.count, false, [&](const Sum &all, size_t begin, size_t end) {
        writeLine(all, all.row->name, false);
        rows.forEach(begin, end, true, [&](const Sum &sum, size_t, size_t) {
          writeLine(sum, "", true);
        });
      });
}

void Writer::writeObject(const Sum &sum) {
  static const char *const forms[] = {"kernel",    "clone", "batch",
                                      "reduction", "phase", "handler"};
  const Form &form = sum.row->form;
  out.print("{\"kernel\": ");
  out.printQuoted(sum.row->name);
  out.print(", \"form\": \"%s\"", forms[form.kind]);
  if (form.kind >= Form::phase)
    out.print(", \"%s\": %u", form.kind == Form::phase ? "phase" : "site",
              form.number);
  out.print(", \"level\": %u, \"elements\": %llu, \"calls\": %llu",
            sum.row->level, Number(sum.elements), Number(sum.calls));
  if (sum.lanes)
    out.print(", \"lanes\": %llu", Number(sum.lanes));
  out.print(", \"yields\": %llu, \"stolen\": %llu, \"bytes\": %llu, "
            "\"nanoseconds\": %llu",
            Number(sum.yields), Number(sum.stolen), Number(sum.bytes),
            Number(sum.nanoseconds()));
  if (form.kind == Form::clone && !sum.uncounted)
    out.print(", \"tasks\": %llu", Number(sum.tasks));
  out.print("}");
}

void Writer::writeJSON() {
  out.print("{\"workers\": %u, \"nanoseconds\": %llu, \"mapped\": %llu,\n",
            workers, Number(nanoseconds), Number(Memory::mostMapped()));
  out.print(" \"tasks\": {\"kernels\": %llu, \"batches\": %llu, "
            "\"cloneCalls\": %llu, ",
            Number(tasks.kernels), Number(tasks.batches),
            Number(tasks.cloneCalls));
  if (tasks.uncounted) {
    out.print("\"clones\": null, \"cloneShare\": null},\n");
  } else {
    Number share = tasks.share(tasks.clones);
    out.print("\"clones\": %llu, \"cloneShare\": %llu.%06llu},\n",
              Number(tasks.clones), share / 1000000, share % 1000000);
  }
  out.print(" \"deepLevel\": %u,\n \"rows\": [", kDeepLevel);
  const char *separator = "\n  ";
  rows.forEach(0, rows.count, true, [&](const Sum &sum, size_t, size_t) {
    out.print("%s", separator);
    writeObject(sum);
    separator = ",\n  ";
  });
  out.print("\n ]}\n");
}

void writeStatistics(const Destination &destination, bool withLevels,
                     uint64_t nanoseconds, uint32_t workers) {
  Rows rows;
  Output out(destination);
  Writer writer(out, rows, nanoseconds, workers);
  if (destination.endsWith(".json"))
    return writer.writeJSON();
  writer.writeSummary();
  if (withLevels)
    writer.writeLevels();
  else
    out.print("CHAN_STATS=levels prints each kernel at each level. "
              "docs/Tuning.md explains what to change.\n");
}

} // namespace chan
