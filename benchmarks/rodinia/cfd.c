//===- cfd.c - Euler equations on an unstructured mesh -------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compressible flow without viscosity, by finite volumes, with dissipation by
// the speed of sound at each face and Runge-Kutta steps. The mesh is a strip of
// rectangles in a random order: a wall below, free stream around.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum {
  Quantities = 5,
  Faces = 4,
  Stages = 3,
  Steps = 2,
  Wall = -1,
  FreeStream = -2
};

static const float gas_constant = 1.4f, dissipation = 0.2f;

typedef struct {
  float density, x, y, z, energy; /* x, y, z: momentum */
} state;

typedef struct {
  float x, y, z;
} vector;

typedef struct {
  int cells;
  float *areas;
  int *neighbours; /* Faces of each cell */
  vector *normals; /* of the faces, outwards, as long as the face is large */
} mesh;

static const state free_stream = {1.4f, 1.68f, 0, 0, 3.508f};

/* A cell has the rectangle (i, j) of a strip of `width` columns. */
static mesh make_mesh(int cells) {
  mesh m = {cells, random_floats(1, cells, 0.5f, 2),
            allocate((size_t)cells * Faces, sizeof(int)),
            allocate((size_t)cells * Faces, sizeof(vector))};
  int width = (int)sqrt(cells), *place = allocate(cells, sizeof(int));
  for (int c = 0; c < cells; ++c) {
    int other = uniform_int(2, c, c + 1);
    place[c] = place[other];
    place[other] = c;
  }
  for (int c = 0; c < cells; ++c) {
    int column = c % width;
    int around[Faces] = {column ? place[c - 1] : FreeStream,
                         column + 1 < width && c + 1 < cells ? place[c + 1]
                                                             : FreeStream,
                         c >= width ? place[c - width] : Wall,
                         c + width < cells ? place[c + width] : FreeStream};
    /* Both sides of a face tilt its normal alike. */
    float left = 0.2f * (uniform(3, c) - 0.5f);
    float right = 0.2f * (uniform(3, c + 1) - 0.5f);
    vector normals[Faces] = {
        {-1, left, 0}, {1, -right, 0}, {0, -1, 0}, {0, 1, 0}};
    memcpy(&m.neighbours[(size_t)place[c] * Faces], around, sizeof around);
    memcpy(&m.normals[(size_t)place[c] * Faces], normals, sizeof normals);
  }
  free(place);
  return m;
}

/* The mesh as the kernels have it. */
static mesh laid_out(const mesh *m) {
  mesh result = *m;
#ifdef RODINIA_LAYOUT
  size_t cells = (size_t)m->cells;
  result.neighbours = allocate(cells * Faces, sizeof(int));
  result.normals = allocate(cells * Faces, sizeof(vector));
  float *normals = &result.normals->x;
  for (size_t c = 0; c < cells; ++c)
    for (size_t f = 0; f < Faces; ++f) {
      result.neighbours[f * cells + c] = m->neighbours[c * Faces + f];
      vector n = m->normals[c * Faces + f];
      normals[f * cells + c] = n.x;
      normals[(Faces + f) * cells + c] = n.y;
      normals[(2 * Faces + f) * cells + c] = n.z;
    }
#endif
  return result;
}

static inline int neighbour_of(const mesh *m, int c, int f) {
#ifdef RODINIA_LAYOUT
  return m->neighbours[(long)f * m->cells + c];
#else
  return m->neighbours[(long)c * Faces + f];
#endif
}

static inline vector normal_of(const mesh *m, int c, int f) {
#ifdef RODINIA_LAYOUT
  const float *normals = &m->normals->x + (long)f * m->cells + c;
  long next = (long)Faces * m->cells;
  return (vector){normals[0], normals[next], normals[2 * next]};
#else
  return m->normals[(long)c * Faces + f];
#endif
}

static inline state get(const state *states, int cells, int c) {
#ifdef RODINIA_LAYOUT
  const float *own = &states->density + c;
  long next = cells;
  return (state){own[0], own[next], own[2 * next], own[3 * next],
                 own[4 * next]};
#else
  (void)cells;
  return states[c];
#endif
}

static inline void put(state *states, int cells, int c, state s) {
#ifdef RODINIA_LAYOUT
  float *own = &states->density + c;
  long next = cells;
  own[0] = s.density, own[next] = s.x, own[2 * next] = s.y;
  own[3 * next] = s.z, own[4 * next] = s.energy;
#else
  (void)cells;
  states[c] = s;
#endif
}

static inline float speed_squared(state s) {
  return (s.x * s.x + s.y * s.y + s.z * s.z) / (s.density * s.density);
}

static inline float pressure(state s) {
  return (gas_constant - 1) * (s.energy - 0.5f * s.density * speed_squared(s));
}

/* The fastest that anything moves in it. */
static inline float wave_speed(state s) {
  return sqrtf(speed_squared(s)) +
         sqrtf(gas_constant * pressure(s) / s.density);
}

/* What flows of each quantity through a face of this normal. */
static inline state flow(state s, vector n) {
  float p = pressure(s);
  float volume = (s.x * n.x + s.y * n.y + s.z * n.z) / s.density;
  return (state){s.density * volume, s.x * volume + p * n.x,
                 s.y * volume + p * n.y, s.z * volume + p * n.z,
                 (s.energy + p) * volume};
}

static inline state add(state a, state b, float factor) {
  return (state){a.density + factor * b.density, a.x + factor * b.x,
                 a.y + factor * b.y, a.z + factor * b.z,
                 a.energy + factor * b.energy};
}

static inline state cell_flux(const mesh *m, const state *states, int c) {
  state own = get(states, m->cells, c), sum = {0};
  for (int f = 0; f < Faces; ++f) {
    int neighbour = neighbour_of(m, c, f);
    vector n = normal_of(m, c, f);
    if (neighbour == Wall) {
      float p = pressure(own);
      sum = add(sum, (state){0, p * n.x, p * n.y, p * n.z, 0}, -1);
      continue;
    }
    state other = free_stream;
    if (neighbour >= 0) {
      other = get(states, m->cells, neighbour);
      float size = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
      float rate =
          0.5f * size * dissipation * (wave_speed(own) + wave_speed(other));
      sum = add(sum, add(own, other, -1), -rate);
    }
    sum = add(sum, add(flow(own, n), flow(other, n), 1), -0.5f);
  }
  return sum;
}

static void initialize_variables(state *states, int cells) {
  cilk_for (int c = 0; c < cells; ++c)
    put(states, cells, c, free_stream);
}

static void compute_step_factor(const state *states, const float *areas,
                                float *factors, int cells) {
  cilk_for (int c = 0; c < cells; ++c)
    factors[c] = 0.5f / (sqrtf(areas[c]) * wave_speed(get(states, cells, c)));
}

static void compute_flux(const mesh *m, const state *states, state *fluxes) {
  mesh local = *m;
  cilk_for (int c = 0; c < local.cells; ++c)
    put(fluxes, local.cells, c, cell_flux(&local, states, c));
}

static void time_step(int stage, const state *old, const float *factors,
                      const state *fluxes, state *states, int cells) {
  cilk_for (int c = 0; c < cells; ++c)
    put(states, cells, c,
        add(get(old, cells, c), get(fluxes, cells, c),
            factors[c] / (float)(Stages - stage)));
}

/* What flows through a face, in double precision, and the wave speed. */
static double flow_through(const double *u, const double *n, double *flow) {
  double kinetic = 0, volume = 0, squares = 0;
  for (int d = 0; d < 3; ++d) {
    kinetic += u[1 + d] * u[1 + d] / u[0] / 2;
    volume += u[1 + d] * n[d] / u[0];
    squares += u[1 + d] * u[1 + d];
  }
  double p = (1.4 - 1) * (u[4] - kinetic);
  for (int q = 0; q < Quantities; ++q)
    flow[q] = (u[q] + (q == 4 ? p : 0)) * volume;
  for (int d = 0; d < 3; ++d)
    flow[1 + d] += p * n[d];
  return sqrt(squares) / u[0] + sqrt(1.4 * p / u[0]);
}

/* By faces: what leaves the cell on one side enters that on the other. */
static void reference_flux(const mesh *m, double (*states)[Quantities],
                           double (*fluxes)[Quantities]) {
  static const double outside[Quantities] = {1.4, 1.68, 0, 0, 3.508};
  memset(fluxes, 0, m->cells * sizeof *fluxes);
  for (int face = 0; face < m->cells * Faces; ++face) {
    int cell = face / Faces, other = m->neighbours[face];
    double n[3] = {m->normals[face].x, m->normals[face].y, m->normals[face].z};
    double flow[Quantities], theirs[Quantities];
    if (other >= 0 && other < cell)
      continue;
    const double *beyond = other >= 0 ? states[other] : outside;
    double rate =
        flow_through(states[cell], n, flow) + flow_through(beyond, n, theirs);
    rate *=
        other >= 0 ? 0.2 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) : 0;
    if (other == Wall) {
      double still[Quantities] = {states[cell][0], 0, 0, 0, states[cell][4]};
      for (int d = 1; d <= 3; ++d)
        still[4] -= states[cell][d] * states[cell][d] / states[cell][0] / 2;
      flow_through(still, n, flow);
      memcpy(theirs, flow, sizeof flow);
    }
    for (int q = 0; q < Quantities; ++q) {
      double leaves =
          (flow[q] + theirs[q] + rate * (states[cell][q] - beyond[q])) / 2;
      fluxes[cell][q] -= leaves;
      if (other >= 0)
        fluxes[other][q] += leaves;
    }
  }
}

static void reference(const mesh *m, state *result) {
  double (*states)[Quantities] = allocate(m->cells, sizeof *states);
  double (*old)[Quantities] = allocate(m->cells, sizeof *states);
  double (*fluxes)[Quantities] = allocate(m->cells, sizeof *states);
  double flow[Quantities], none[3] = {0};
  for (int c = 0; c < m->cells; ++c)
    memcpy(states[c], (double[]){1.4, 1.68, 0, 0, 3.508}, sizeof *states);
  for (int stage = 0; stage < Steps * Stages; ++stage) {
    if (stage % Stages == 0)
      memcpy(old, states, m->cells * sizeof *states);
    reference_flux(m, states, fluxes);
    for (int c = 0; c < m->cells; ++c) {
      double factor =
          0.5 / sqrt(m->areas[c]) / flow_through(old[c], none, flow);
      for (int q = 0; q < Quantities; ++q)
        states[c][q] =
            old[c][q] + factor / (Stages - stage % Stages) * fluxes[c][q];
    }
  }
  for (int c = 0; c < m->cells; ++c)
    result[c] =
        (state){(float)states[c][0], (float)states[c][1], (float)states[c][2],
                (float)states[c][3], (float)states[c][4]};
  free(states), free(old), free(fluxes);
}

int main(int argc, char **argv) {
  int cells = problem_size(argc, argv, 97046, 900, 4, 10000000);
  mesh rows = make_mesh(cells), m = laid_out(&rows);
  state *states = allocate(cells, sizeof(state));
  state *old = allocate(cells, sizeof(state));
  state *fluxes = allocate(cells, sizeof(state));
  state *expected = allocate(cells, sizeof(state));
  float *factors = allocate(cells, sizeof(float));
  initialize_variables(states, cells);
  for (int step = 0; step < Steps; ++step) {
    memcpy(old, states, cells * sizeof(state));
    compute_step_factor(states, m.areas, factors, cells);
    for (int stage = 0; stage < Stages; ++stage) {
      compute_flux(&m, states, fluxes);
      time_step(stage, old, factors, fluxes, states, cells);
    }
  }
  reference(&rows, expected);
  for (int c = 0; c < cells; ++c)
    old[c] = get(states, cells, c);
  check_floats("states", &old->density, &expected->density,
               (size_t)cells * Quantities, 1e-4f);
  uint64_t sum = checksum(old, cells * sizeof(state));
  if (m.normals != rows.normals)
    free(m.neighbours), free(m.normals);
  free(rows.areas), free(rows.neighbours), free(rows.normals);
  free(states), free(old);
  free(fluxes), free(expected), free(factors);
  return report("cfd", cells, sum);
}
