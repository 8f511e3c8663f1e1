//===- main.c - A ray tracer of several files ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a scene's text, moves a world of balls in time steps, and renders a
// picture of each moment. Spawning functions call each other from file to file,
// most through tables of functions: kinds of expressions, objects, textures and
// materials. Trees are malloc'ed, changed and freed by spawns. Each part is
// checked by another way to its result, and nothing may leak.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 120 3 60
// LIBS: -lm
// VGIW-ARGS: 12 1 12

#include "../../Support/check.h"
#include "../../Support/stopwatch.h"
#include "image.h"
#include "memory.h"
#include "render.h"
#include "tests.h"
#include "world.h"
#include <cilk/cilk.h>

static const char text[] =
    "# Balls above hills\n"
    "let turn = time * pi / 4;\n"
    "let far = 5 + sin(turn) ^ 2;\n"
    "camera { from far * cos(turn), 2.5, far * sin(turn); at 0, 0, 0;\n"
    "  angle 50; }\n"
    "sky { colour 0.5, 0.7, 1; }\n"
    "light { centre 4, 6, 3; power 0.9, 0.8, 0.7; radius 0.5; samples 4; }\n"
    "light { centre -5, 3, 2 - time; power 0.2, 0.3, 0.5; }\n"
    "material grass { shader matte; colour 0.2, 0.5, 0.1; texture speckles;\n"
    "  second 0.6, 0.5, 0.2; size 0.7; }\n"
    "material stone { shader matte; colour 0.9, 0.9, 0.8; texture marble;\n"
    "  second 0.4, 0.2, 0.3; size 0.2; }\n"
    "material tin { shader mirror; colour 0.9, 0.9, 0.9; share 0.7; }\n"
    "material floor { shader matte; colour 1, 1, 1; texture checks;\n"
    "  second 0.1, 0.1, 0.1; size 0.5; }\n"
    "material glass { shader glass; colour 0.95, 1, 0.95; index 1.5; }\n"
    "material glaze { shader layered; over tin; under stone;\n"
    "  share 0.2 + 0.1 * clamp(time, 0, 3); }\n"
    "material fire { shader glow; colour 1.5, 0.9, 0.3; }\n"
    "hills { centre 0, -1.6, 0; side 8; height 0.6; depth 4; material grass; "
    "}\n"
    "disc { centre 0, -1.02, 0; normal 0, 1, 0; radius 1.6; material floor; }\n"
    "ball { centre 1.5, 0.3 * abs(sin(3 * turn)), -1.2; radius 0.5; depth 2;\n"
    "  material glaze; }\n"
    "sphere { centre -1.4, 0, 1; radius 0.6; material glass; }\n"
    "tube { foot 1.6, -1, 1.3; top 1.6, 0.5 + pulse(time) / 4, 1.3;\n"
    "  radius 0.2; material stone; }\n"
    "sphere { centre 0, 1.6, max(-1, min(time - 1, 1)); radius 0.15;\n"
    "  material fire; }\n"
    "swarm { material tin; }\n";

/* One moment: a checked scene, a picture of it, and its mean and checksum. */
static uint64_t make_frame(const document *d, int frame, int width,
                           const char *path) {
  problem p;
  scene *s = make_scene(d, frame, &p);
  CHECK(s);
  bvh_size size = measure_bvh(s->tree);
  CHECK_EQUAL(size.shapes, s->shapes.count);
  CHECK_EQUAL(size.nodes, 2 * size.leaves - 1);
  check_hits(s, 200);

  quality fine = {4, 1, 0.1}, coarse = {4, 0, 0};
  image picture = make_image(width, width * 2 / 3);
  image other = make_image(width, width * 2 / 3);
  long rays = render(s, fine, picture), pixels = (long)width * picture.height;
  CHECK_EQUAL(render(s, coarse, other), 4 * pixels);
  CHECK(rays >= 4 * pixels && (rays - 4 * pixels) % 16 == 0);
  /* Only what was refined may differ, a little. */
  CHECK(differences(picture, other, 0) <= (rays - 4 * pixels) / 16);
  tone(picture);
  histogram before = count_shades(picture);
  blur(picture, 1);
  histogram after = count_shades(picture);
  long sum = 0;
  for (int i = 0; i < Shades; ++i)
    sum += before.count[i] - after.count[i];
  CHECK_EQUAL(sum, 0);
  if (path)
    CHECK(write_image(picture, path));

  uint64_t result = checksum(picture.at, pixels * sizeof(colour));
  printf("frame %d: %ld shapes, %ld nodes, depth %ld, %ld rays, %016llx\n",
         frame, size.shapes, size.nodes, size.depth, rays,
         (unsigned long long)result);
  destroy_image(&picture);
  destroy_image(&other);
  destroy_scene(s);
  return result;
}

int main(int argc, char **argv) {
  int width = (int)argument(argc, argv, 1, 36);
  int frames = (int)argument(argc, argv, 2, 2);
  long balls = argument(argc, argv, 3, 60);
  const char *path = argc > 4 ? argv[4] : NULL; /* of the last picture */

  check_messages();
  check_expressions();
  check_meshes();
  check_pictures();

  problem p;
  document *d = parse_document(text, &p);
  if (!d)
    fprintf(stderr, "%d:%d: %s\n", p.line, p.column, p.message);
  CHECK(d);
  long gone = simplify_document(d);
  CHECK(gone > 0);
  stopwatch watch = stopwatch_start();
  make_world(balls);
  balance start = world_balance();
  uint64_t result = 0;
  for (int frame = 0; frame < frames; ++frame) {
    check_world();
    result ^= make_frame(d, frame, width, frame + 1 == frames ? path : NULL);
    step_world(100, 0.002);
  }
  stopwatch_stop(watch);
  balance end = world_balance();
  CHECK(fabs(end.energy / start.energy - 1) < 0.05);
  printf("%d frames: %ld nodes folded, energy %.6f, checksum %016llx\n", frames,
         gone, end.energy, (unsigned long long)result);
  destroy_world();
  destroy_document(d);
  CHECK_EQUAL(live_allocations(), 0);
  return 0;
}
