//===- bvh.c - A hierarchy of boxes around shapes -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bvh.h"

#include "../../Support/check.h"
#include "memory.h"
#include <cilk/cilk.h>
#include <string.h>

enum { LeafShapes = 3, Bins = 8, ParallelBins = 512 };

typedef struct {
  box bounds;
  vector centre;
  const shape *shape;
} item;

/* Along one axis, the items by the place of their centres. */
typedef struct {
  box bounds[Bins];
  long count[Bins];
} bins;

typedef struct {
  int axis;
  double low, width;
} division;

static int bin_of(division d, const item *i) {
  int bin = (int)((axis_of(i->centre, d.axis) - d.low) / d.width * Bins);
  return bin < 0 ? 0 : bin < Bins ? bin : Bins - 1;
}

static bins fill_bins(division d, const item *items, long count) {
  bins all;
  if (count > ParallelBins) {
    bins left = cilk_spawn fill_bins(d, items, count / 2);
    bins right = cilk_spawn fill_bins(d, items + count / 2, count - count / 2);
    cilk_sync;
    for (int i = 0; i < Bins; ++i) {
      all.bounds[i] = join(left.bounds[i], right.bounds[i]);
      all.count[i] = left.count[i] + right.count[i];
    }
    return all;
  }
  for (int i = 0; i < Bins; ++i) {
    all.bounds[i] = empty_box();
    all.count[i] = 0;
  }
  for (long i = 0; i < count; ++i) {
    int bin = bin_of(d, &items[i]);
    all.bounds[bin] = join(all.bounds[bin], items[i].bounds);
    ++all.count[bin];
  }
  return all;
}

/* A split's cost by the boxes' surfaces, and the first bin on its right. */
typedef struct {
  division division;
  int first;
  double cost;
} split;

static split best_split(int axis, box centres, const item *items, long count) {
  split best = {{axis, axis_of(centres.low, axis),
                 axis_of(centres.high, axis) - axis_of(centres.low, axis)},
                0,
                1e300};
  if (best.division.width <= 0)
    return best;
  bins all = fill_bins(best.division, items, count);
  double right_cost[Bins];
  box bounds = empty_box();
  long n = 0;
  for (int i = Bins - 1; i > 0; --i) {
    bounds = join(bounds, all.bounds[i]);
    n += all.count[i];
    right_cost[i] = n * half_surface(bounds);
  }
  bounds = empty_box();
  n = 0;
  for (int i = 1; i < Bins; ++i) {
    bounds = join(bounds, all.bounds[i - 1]);
    n += all.count[i - 1];
    double cost = n * half_surface(bounds) + right_cost[i];
    if (n > 0 && n < count && cost < best.cost) {
      best.cost = cost;
      best.first = i;
    }
  }
  return best;
}

/* Puts the items left of the split first; their number. */
static long partition(split s, item *items, long count) {
  item *right = allocate(count, sizeof *right);
  long left_count = 0, right_count = 0;
  for (long i = 0; i < count; ++i)
    if (bin_of(s.division, &items[i]) < s.first)
      items[left_count++] = items[i];
    else
      right[right_count++] = items[i];
  memcpy(items + left_count, right, right_count * sizeof *right);
  release(right);
  return left_count;
}

static bvh *make_leaf(bvh *node, const item *items, long count) {
  node->count = count;
  node->shapes = allocate(count, sizeof *node->shapes);
  for (long i = 0; i < count; ++i)
    node->shapes[i] = items[i].shape;
  return node;
}

static bvh *build(item *items, long count) {
  bvh *node = allocate(1, sizeof *node);
  box centres = empty_box();
  node->bounds = empty_box();
  for (long i = 0; i < count; ++i) {
    box point = {items[i].centre, items[i].centre};
    node->bounds = join(node->bounds, items[i].bounds);
    centres = join(centres, point);
  }
  if (count <= LeafShapes)
    return make_leaf(node, items, count);
  split by_axis[3], best;
  for (int axis = 0; axis < 3; ++axis)
    by_axis[axis] = cilk_spawn best_split(axis, centres, items, count);
  cilk_sync;
  best = by_axis[0];
  for (int axis = 1; axis < 3; ++axis)
    if (by_axis[axis].cost < best.cost)
      best = by_axis[axis];
  /* All centres in one place, or a leaf is cheaper. */
  if (best.cost >= 1e300)
    return make_leaf(node, items, count);
  long left = partition(best, items, count);
  node->part[0] = cilk_spawn build(items, left);
  node->part[1] = cilk_spawn build(items + left, count - left);
  return node;
}

bvh *build_bvh(const shape *shapes, long count) {
  item *items = allocate(count, sizeof *items);
  for (long i = 0; i < count; ++i) {
    items[i].bounds = shapes[i].kind->bounds(&shapes[i]);
    items[i].centre = middle(items[i].bounds);
    items[i].shape = &shapes[i];
  }
  bvh *tree = build(items, count);
  release(items);
  return tree;
}

void destroy_bvh(bvh *tree) {
  if (!tree)
    return;
  cilk_spawn destroy_bvh(tree->part[0]);
  destroy_bvh(tree->part[1]);
  cilk_sync;
  release(tree->shapes);
  release(tree);
}

static bool holds(box outer, box inner) {
  vector low = minus(inner.low, outer.low),
         high = minus(outer.high, inner.high);
  return low.x >= 0 && low.y >= 0 && low.z >= 0 && high.x >= 0 && high.y >= 0 &&
         high.z >= 0;
}

bvh_size measure_bvh(const bvh *tree) {
  bvh_size size = {1, 0, 0, 1, 0}, part[2];
  if (!tree->part[0]) {
    size.leaves = 1;
    size.shapes = tree->count;
    for (long i = 0; i < tree->count; ++i) {
      const shape *s = tree->shapes[i];
      CHECK(holds(tree->bounds, s->kind->bounds(s)));
      size.area += s->kind->area(s);
    }
    return size;
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(holds(tree->bounds, tree->part[i]->bounds));
    part[i] = cilk_spawn measure_bvh(tree->part[i]);
  }
  cilk_sync;
  for (int i = 0; i < 2; ++i) {
    size.nodes += part[i].nodes;
    size.leaves += part[i].leaves;
    size.shapes += part[i].shapes;
    size.area += part[i].area;
    if (part[i].depth >= size.depth)
      size.depth = part[i].depth + 1;
  }
  return size;
}

/* Where the ray enters the box; beyond `far` if it does not. */
static double enter(box b, ray r, double near, double far) {
  for (int axis = 0; axis < 3; ++axis) {
    double from = axis_of(r.from, axis), along = axis_of(r.along, axis);
    double first = (axis_of(b.low, axis) - from) / along;
    double last = (axis_of(b.high, axis) - from) / along;
    near = fmax(near, fmin(first, last));
    far = fmin(far, fmax(first, last));
  }
  return near <= far ? near : 1e301;
}

static void find(const bvh *node, ray r, double near, hit *best) {
  for (long i = 0; i < node->count; ++i) {
    const shape *s = node->shapes[i];
    double distance = s->kind->meet(s, r, near, best->distance);
    if (distance >= 0) {
      best->shape = s;
      best->distance = distance;
    }
  }
  if (!node->part[0])
    return;
  double at[2];
  for (int i = 0; i < 2; ++i)
    at[i] = enter(node->part[i]->bounds, r, near, best->distance);
  int first = at[1] < at[0];
  if (at[first] <= best->distance)
    find(node->part[first], r, near, best);
  if (at[!first] <= best->distance)
    find(node->part[!first], r, near, best);
}

hit first_hit(const bvh *tree, ray r, double near) {
  hit best = {.distance = 1e300};
  find(tree, r, near, &best);
  if (!best.shape)
    return best;
  best.place = point_on(r, best.distance);
  best.normal = best.shape->kind->normal(best.shape, best.place);
  best.inside = dot(best.normal, r.along) > 0;
  if (best.inside)
    best.normal = scale(-1, best.normal);
  return best;
}

bool is_blocked(const bvh *tree, ray r, double near, double far) {
  if (enter(tree->bounds, r, near, far) > far)
    return false;
  for (long i = 0; i < tree->count; ++i)
    if (tree->shapes[i]->kind->meet(tree->shapes[i], r, near, far) >= 0)
      return true;
  return tree->part[0] && (is_blocked(tree->part[0], r, near, far) ||
                           is_blocked(tree->part[1], r, near, far));
}
