//===- StatisticsRows.cpp - Rows that the statistics add up ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatisticsRows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace chan {

void Sum::add(const Row &more) {
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

int compareRows(const Row &a, const Row &b, bool withLevel) {
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

static int compareEntries(const void *a, const void *b) {
  return compareRows(**static_cast<Row *const *>(a),
                     **static_cast<Row *const *>(b), true);
}

Rows::Rows() {
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

Rows::~Rows() { free(rows); }

Tasks::Tasks(const Rows &rows) {
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

Number Tasks::share(uint64_t part) const {
  uint64_t all = kernels + batches + clones;
  return all ? static_cast<Number>(double(part) / double(all) * 1e6 + 0.5) : 0;
}

void nameForm(char (&text)[24], const Form &form) {
  static const char *const names[] = {"kernel",    "clone",    "batch",
                                      "reduction", "phase %u", "handler %u"};
  snprintf(text, sizeof text, names[form.kind], form.number);
}

} // namespace chan
