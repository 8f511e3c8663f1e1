//===- StatisticsSummary.cpp - The screen that CHAN_STATS=1 prints --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatisticsSummary.h"
#include "Memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace chan {
namespace {

/// Rows of the table of kernels, and pieces of advice. With them the summary
/// has at most 25 lines.
constexpr size_t kMostKernels = 6;
constexpr unsigned kMostAdvice = 3;

/// Where time goes. The rows of the forms batch, reduction, phase and handler
/// are of batches.
enum Place { inBatches, inClones, inKernels, outside, kPlaces };

Place placeOf(const Form &form) {
  if (form.kind == Form::kernel)
    return inKernels;
  return form.kind == Form::clone ? inClones : inBatches;
}

/// Sums of all levels of a kernel in a form, the slowest first.
class SlowestFirst {
public:
  explicit SlowestFirst(const Rows &rows)
      : sums(static_cast<Sum *>(calloc(rows.count + 1, sizeof(Sum)))) {
    if (!sums)
      return;
    rows.forEach(0, rows.count, false,
                 [&](const Sum &sum, size_t, size_t) { sums[count++] = sum; });
    qsort(sums, count, sizeof(Sum), compare);
  }
  ~SlowestFirst() { free(sums); }
  SlowestFirst(const SlowestFirst &) = delete;
  SlowestFirst &operator=(const SlowestFirst &) = delete;

  const Sum *begin() const { return sums; }
  const Sum *end() const { return sums + count; }
  size_t size() const { return count; }

private:
  static int compare(const void *left, const void *right) {
    const Sum &a = *static_cast<const Sum *>(left);
    const Sum &b = *static_cast<const Sum *>(right);
    if (a.ticks != b.ticks)
      return a.ticks > b.ticks ? -1 : 1;
    return compareRows(*a.row, *b.row, false);
  }

  Sum *sums;
  size_t count = 0;
};

class Summary {
public:
  Summary(Output &out, const Rows &rows, const Tasks &tasks,
          uint64_t nanoseconds, uint32_t workers);

  void writeTotals();
  void writePlaces();
  void writeKernels();
  void writeAdvice();

private:
  /// Percent of the workers' time.
  Number percent(uint64_t nanoseconds) const {
    return all ? static_cast<Number>(double(nanoseconds) / double(all) * 100 +
                                     0.5)
               : 0;
  }
  void writeTime(uint64_t nanoseconds);
  bool beginAdvice();
  void adviseOnWorkers();
  void adviseOnForms();
  void adviseOnKernel(const Sum &sum);

  Output &out;
  const Tasks &tasks;
  SlowestFirst sums;
  uint64_t nanoseconds, all, places[kPlaces] = {}, stolen = 0;
  uint32_t workers;
  unsigned advice = 0;
};

} // namespace

Summary::Summary(Output &out, const Rows &rows, const Tasks &tasks,
                 uint64_t nanoseconds, uint32_t workers)
    : out(out), tasks(tasks), sums(rows), nanoseconds(nanoseconds),
      workers(workers) {
  uint64_t inside = 0;
  for (const Sum &sum : sums) {
    places[placeOf(sum.row->form)] += sum.nanoseconds();
    inside += sum.nanoseconds();
    stolen += sum.stolen;
  }
  all = nanoseconds * workers;
  // The program's threads may be more than the workers of one tree.
  if (all < inside)
    all = inside;
  places[outside] = all - inside;
}

void Summary::writeTotals() {
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
  out.print(" s, %u worker%s, at most %llu bytes mapped\n", workers,
            workers == 1 ? "" : "s", Number(Memory::mostMapped()));
}

/// In milliseconds, and as a share.
void Summary::writeTime(uint64_t time) {
  char text[24];
  uint64_t microseconds = time / 1000;
  snprintf(text, sizeof text, "%llu.%03llu", Number(microseconds / 1000),
           Number(microseconds % 1000));
  out.print(" %12s %4llu", text, percent(time));
}

void Summary::writePlaces() {
  static const char *const names[] = {"batches", "serial clones", "kernels",
                                      "outside tasks"};
  out.print("\n%-37s %12s %4s\n", "where the workers' time went", "ms", "%");
  for (unsigned place = 0; place != kPlaces; ++place) {
    out.print("  %-35s", names[place]);
    writeTime(places[place]);
    out.print("\n");
  }
}

void Summary::writeKernels() {
  out.print("\n%-26s %-10s %12s %4s %12s %9s %6s %8s\n", "slowest kernels",
            "form", "ms", "%", "elements", "a call", "lanes%", "stolen");
  size_t shown = 0;
  uint64_t hidden = 0;
  for (const Sum &sum : sums) {
    if (shown == kMostKernels) {
      hidden += sum.nanoseconds();
      continue;
    }
    ++shown;
    char form[24], lanes[16] = "-", perCall[24];
    nameForm(form, sum.row->form);
    if (sum.lanes)
      snprintf(lanes, sizeof lanes, "%llu.%llu", Number(sum.occupancy() / 10),
               Number(sum.occupancy() % 10));
    uint64_t tenths = sum.calls ? sum.elements * 10 / sum.calls : 0;
    snprintf(perCall, sizeof perCall, "%llu.%llu", Number(tenths / 10),
             Number(tenths % 10));
    // The end of a name says which kernel of the function it is.
    const char *name = sum.row->name;
    size_t length = strlen(name);
    bool isLong = length > 24;
    out.print("  %s%-*s %-10s", isLong ? ".." : "", isLong ? 22 : 24,
              isLong ? name + length - 22 : name, form);
    writeTime(sum.nanoseconds());
    out.print(" %12llu %9s %6s %8llu\n", Number(sum.elements), perCall, lanes,
              Number(sum.stolen));
  }
  if (sums.size() > shown) {
    out.print("  %-35s", "the others");
    writeTime(hidden);
    out.print("\n");
  }
}

/// Whether there is room for one more piece.
bool Summary::beginAdvice() {
  if (advice == kMostAdvice)
    return false;
  out.print(advice++ ? "  - " : "\nwhat to do\n  - ");
  return true;
}

void Summary::adviseOnWorkers() {
  if (workers > 1 && !stolen) {
    if (beginAdvice())
      out.print("No worker took tasks from another. -fcilktool=cilkscale "
                "measures the parallelism.\n");
  } else if (workers > 1 && percent(places[outside]) >= 30) {
    if (beginAdvice())
      out.print("Workers waited, or the program ran serial code, in %llu %% of "
                "the time: CHAN_TRACE=FILE.\n",
                percent(places[outside]));
  } else if (percent(places[outside]) >= 50 && beginAdvice()) {
    out.print("The program ran serial code in %llu %% of the time.\n",
              percent(places[outside]));
  }
}

void Summary::adviseOnForms() {
  if (percent(places[inClones]) >= 50 && beginAdvice())
    out.print("Most of the time is in serial clones, without SIMD lanes. "
              "-Rpass-missed=chan-batch says why.\n");
  if (percent(places[inKernels]) >= 25 && tasks.kernels &&
      places[inKernels] / tasks.kernels < 2000 && beginAdvice())
    out.print("Kernels run small tasks, of about %llu ns. -Rpass-missed=chan "
              "says why no clone or batch does.\n",
              Number(places[inKernels] / tasks.kernels));
}

void Summary::adviseOnKernel(const Sum &sum) {
  char form[24];
  nameForm(form, sum.row->form);
  if (sum.lanes && sum.occupancy() < 500 && beginAdvice())
    out.print("%.40s (%s): %llu %% of the lanes had no element. Spawn more "
              "before each sync.\n",
              sum.row->name, form, Number((1000 - sum.occupancy()) / 10));
  // One yield for ten elements.
  if (sum.yields * 10 > sum.elements && beginAdvice())
    out.print("%.40s: its channel was full %llu times. Try a larger block: "
              "CHAN_WIDTH=n.\n",
              sum.row->name, Number(sum.yields));
}

void Summary::writeAdvice() {
  // A shorter run says little.
  if (nanoseconds >= 10000000) {
    adviseOnWorkers();
    adviseOnForms();
    for (const Sum &sum : sums)
      if (percent(sum.nanoseconds()) >= 5)
        adviseOnKernel(sum);
  }
}

void writeSummary(Output &out, const Rows &rows, const Tasks &tasks,
                  uint64_t nanoseconds, uint32_t workers) {
  Summary summary(out, rows, tasks, nanoseconds, workers);
  summary.writeTotals();
  summary.writePlaces();
  summary.writeKernels();
  summary.writeAdvice();
}

} // namespace chan
