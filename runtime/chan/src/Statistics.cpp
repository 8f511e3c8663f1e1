//===- Statistics.cpp - What CHAN_STATS writes ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "Memory.h"
#include "Profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace chan {
namespace {

using Number = unsigned long long;

/// Sum of rows of all workers.
struct Sum {
  const Row *row = nullptr;
  uint64_t elements = 0, calls = 0, lanes = 0, yields = 0, stolen = 0;
  uint64_t bytes = 0, ticks = 0, tasks = 0, uncounted = 0;

  void add(const Row &more) {
    row = &more;
    elements += more.elements.get();
    calls += more.calls.get();
    lanes += more.lanes.get();
    yields += more.yields.get();
    stolen += more.stolen.get();
    if (more.form.kind < Form::reduction) // those count in the batch's row
      bytes += more.elements.get() * more.elementSize;
    ticks += more.ticks.get();
    tasks += more.tasks.get();
    uncounted += more.uncounted.get();
  }
};

/// By kernel, form and level.
int compare(const Row &a, const Row &b, bool withLevel) {
  if (int order = strcmp(a.name, b.name))
    return order;
  if (a.form.kind != b.form.kind)
    return a.form.kind < b.form.kind ? -1 : 1;
  if (a.form.number != b.form.number)
    return a.form.number < b.form.number ? -1 : 1;
  if (!withLevel || a.level == b.level)
    return 0;
  return a.level < b.level ? -1 : 1;
}

int compareEntries(const void *a, const void *b) {
  return compare(**static_cast<Row *const *>(a), **static_cast<Row *const *>(b),
                 true);
}

/// All rows of all workers, in order.
class Rows {
public:
  Rows() {
    for (bool isFilling : {false, true}) {
      size_t most = count;
      count = 0;
      for (Profile *profile = Profile::all(); profile; profile = profile->next)
        for (Row *row = profile->rows(); row; row = row->next) {
          // Rows that appear meanwhile belong to threads that the exit does not
          // wait for.
          if (isFilling && count == most)
            break;
          if (isFilling)
            rows[count] = row;
          ++count;
        }
      if (!isFilling &&
          !(rows = static_cast<Row **>(calloc(count + 1, sizeof(Row *)))))
        count = 0;
    }
    qsort(rows, count, sizeof(Row *), compareEntries);
  }
  ~Rows() { free(rows); }
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;

  /// Calls `use` with sums of the rows [begin, end). Each sum is of rows that
  /// are equal, or that differ only in the level.
  template <typename Use>
  void forEach(size_t begin, size_t end, bool withLevel, Use use) const {
    for (size_t last; begin != end; begin = last) {
      Sum sum;
      for (last = begin;
           last != end && !compare(*rows[begin], *rows[last], withLevel);
           ++last)
        sum.add(*rows[last]);
      use(sum, begin, last);
    }
  }

  Row **rows = nullptr;
  size_t count = 0;
};

/// Number of activations, by the form that they ran in.
struct Tasks {
  uint64_t kernels = 0, batches = 0, clones = 0, cloneCalls = 0, uncounted = 0;

  explicit Tasks(const Rows &rows) {
    for (size_t i = 0; i != rows.count; ++i) {
      const Row &row = *rows.rows[i];
      uint64_t elements = row.elements.get();
      if (row.form.kind == Form::kernel && row.isEntry)
        kernels += elements;
      // Elements of a batch may leave it before they begin.
      if (row.form == Form{Form::phase, 0} || row.form.kind == Form::reduction)
        batches += elements;
      if (row.form.kind == Form::clone)
        cloneCalls += elements;
      clones += row.tasks.get();
      uncounted += row.uncounted.get();
    }
  }

  /// Millionths of `part`.
  Number share(uint64_t part) const {
    uint64_t all = kernels + batches + clones;
    return all ? static_cast<Number>(double(part) / double(all) * 1e6 + 0.5)
               : 0;
  }
};

class Writer {
public:
  Writer(Output &out, const Rows &rows, uint64_t nanoseconds, uint32_t workers)
      : out(out), rows(rows), tasks(rows), nanoseconds(nanoseconds),
        workers(workers) {}

  void writeText();
  void writeJSON();

private:
  static uint64_t nanosecondsOf(const Sum &sum) {
    return Profile::nanoseconds(sum.ticks);
  }
  void writeLine(const Sum &sum, const char *name, bool withLevel);
  void writeObject(const Sum &sum);

  Output &out;
  const Rows &rows;
  Tasks tasks;
  uint64_t nanoseconds;
  uint32_t workers;
};

void nameForm(char (&text)[24], const Form &form) {
  static const char *const names[] = {"kernel",    "clone",    "batch",
                                      "reduction", "phase %u", "handler %u"};
  snprintf(text, sizeof text, names[form.kind], form.number);
}

} // namespace

void Writer::writeLine(const Sum &sum, const char *name, bool withLevel) {
  char form[24], level[16] = "all", lanes[16] = "-", inside[24] = "-";
  nameForm(form, sum.row->form);
  if (withLevel)
    snprintf(level, sizeof level, "%u%s", sum.row->level,
             sum.row->level == kDeepLevel ? "+" : "");
  if (sum.lanes) {
    uint64_t promille = (sum.elements * 1000 + sum.lanes / 2) / sum.lanes;
    snprintf(lanes, sizeof lanes, "%llu.%llu", Number(promille / 10),
             Number(promille % 10));
  }
  if (sum.row->form.kind == Form::clone && !sum.uncounted)
    snprintf(inside, sizeof inside, "%llu", Number(sum.tasks));
  out.print("%-20s %-11s %5s %12llu %10llu %6s %8llu %8llu %13llu ", name, form,
            level, Number(sum.elements), Number(sum.calls), lanes,
            Number(sum.yields), Number(sum.stolen), Number(sum.bytes));
  char time[24];
  uint64_t microseconds = nanosecondsOf(sum) / 1000;
  snprintf(time, sizeof time, "%llu.%03llu", Number(microseconds / 1000),
           Number(microseconds % 1000));
  out.print("%10s %12s\n", time, inside);
}

void Writer::writeText() {
  out.print("cilk2chan: %llu tasks by kernels, %llu in batches, %llu with all "
            "their children by serial clones\n",
            Number(tasks.kernels), Number(tasks.batches),
            Number(tasks.cloneCalls));
  if (tasks.uncounted) {
    out.print("cilk2chan: tasks inside serial clones are not counted; compile "
              "with -fchan-stats\n");
  } else {
    const struct {
      const char *name;
      uint64_t part;
    } parts[] = {{"in kernels", tasks.kernels},
                 {"in batches", tasks.batches},
                 {"in serial clones", tasks.clones}};
    out.print("cilk2chan: of %llu tasks",
              Number(tasks.kernels + tasks.batches + tasks.clones));
    const char *separator = " ";
    for (auto [name, part] : parts) {
      Number share = (tasks.share(part) + 50) / 100;
      out.print("%s%llu.%02llu %% %s", separator, share / 100, share % 100,
                name);
      separator = ", ";
    }
    out.print("\n");
  }
  out.print("cilk2chan: ");
  out.printDecimal(nanoseconds / 1000000);
  out.print(" s, %u workers, at most %llu bytes mapped\n", workers,
            Number(Memory::mostMapped()));
  out.print("%-20s %-11s %5s %12s %10s %6s %8s %8s %13s %10s %12s\n", "kernel",
            "form", "level", "elements", "calls", "lanes%", "yields", "stolen",
            "bytes", "ms", "tasks inside");
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
            Number(nanosecondsOf(sum)));
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

void writeStatistics(const Destination &destination, uint64_t nanoseconds,
                     uint32_t workers) {
  Rows rows;
  Output out(destination);
  Writer writer(out, rows, nanoseconds, workers);
  if (destination.endsWith(".json"))
    writer.writeJSON();
  else
    writer.writeText();
}

} // namespace chan
