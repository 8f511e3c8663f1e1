//===- tests.c - The program's checks of itself -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tests.h"

#include "../../Support/check.h"
#include "memory.h"
#include "noise.h"
#include "render.h"
#include <string.h>

static const struct {
  const char *text, *message;
  int line, column;
} bad[] = {
    {"sphere { centre 1, 2;", "a field expected, but the text ends", 1, 22},
    {"let x = 1 + ;", "a value expected, not ';'", 1, 13},
    {"let x = 2;\nlet y = x + z;", "'z' is not defined", 2, 13},
    {"let x = sin(1, 2);", "'sin' takes 1 argument", 1, 9},
    {"let x = atan(1);", "'atan' takes 2 arguments", 1, 9},
    {"let x = sign(1);", "no function 'sign'", 1, 9},
    {"let 3 = x;", "a name expected, not '3'", 1, 5},
    {"let x = (1 + 2;", "')' expected, not ';'", 1, 15},
    {"# only a remark\n  {", "an object expected, not '{'", 2, 3},
    {"sky { colour 1, 2, 3, 4, 5, 6, 7; }", "';' expected, not '7'", 1, 32},
    {"cube { side 1; }", "there is no kind 'cube'", 1, 1},
    {"sky { color 1, 1, 1; }", "a sky has no 'color'", 1, 7},
    {"sky { }", "a sky needs 'colour'", 1, 1},
    {"sky { colour 1; }", "'colour' takes another number of values", 1, 7},
    {"sphere { centre 0, 0, 0;\n  radius -time; }", "'radius' must be positive",
     2, 3},
    {"sphere { centre 0, 0, 0; radius 1; material tin; }",
     "no material 'tin' above", 1, 1},
    {"material { shader matte; colour 1, 1, 1; }", "a material needs a name", 1,
     1},
    {"material m { shader wood; }", "'shader' is not known", 1, 14},
    {"material m { shader 3; }", "'shader' takes a name", 1, 14},
    {"material m { shader matte; colour 2 ^ 5000, 0, 0; }",
     "'colour' is not finite", 1, 28},
};

void check_messages(void) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    problem p;
    document *d = parse_document(bad[i].text, &p);
    if (d) {
      CHECK(!make_scene(d, 1, &p));
      destroy_document(d);
    }
    if (strcmp(p.message, bad[i].message) != 0)
      fprintf(stderr, "'%s' and not '%s'\n", p.message, bad[i].message);
    CHECK(strcmp(p.message, bad[i].message) == 0);
    CHECK_EQUAL(p.line, bad[i].line);
    CHECK_EQUAL(p.column, bad[i].column);
  }
}

/* An expression that C reads as we do, and its value in C. */
#define SAME(...) {#__VA_ARGS__, (__VA_ARGS__)}

void check_expressions(void) {
  const struct {
    const char *text;
    double value;
  } same[] = {
      SAME(1 + 2 * 3 - 4 / 5.0),
      SAME((1 - 2 - 3) / 7.0 / 2),
      SAME(-(3 + 4) * -2),
      SAME(sqrt(2) * sqrt(2) - 2),
      SAME(sin(1) * sin(1) + cos(1) * cos(1)),
      {"2 ^ 3 ^ 2 / 2 ^ 8", 2},
      {"min(3, max(1, 2)) + clamp(7, 0, 5) + pulse(0.25)", 2 + 5 + 1},
      {"atan(1, -1) / pi", atan2(1, -1) / PI},
      {"1 / (floor(2.5) - 2) + abs(-3)", 3},
      {"time * time - 4", 5},
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; ++i) {
    char text[120];
    problem p;
    double value[2];
    snprintf(text, sizeof text, "let x = %s; sky { colour 1 + 1, x, x; }",
             same[i].text);
    document *d = parse_document(text, &p);
    CHECK(d);
    environment where = {3, NULL};
    value[0] = evaluate(d->lets[0], where);
    CHECK_EQUAL(simplify_document(d), 2);
    CHECK((count_nodes(d->lets[0]) == 1) == !strstr(text, "time"));
    value[1] = evaluate(d->lets[0], where);
    CHECK(value[0] == value[1]);
    CHECK(fabs(value[0] - same[i].value) < 1e-12);
    destroy_document(d);
  }
}

static double area_of(shape_list list) {
  double area = 0;
  for (long i = 0; i < list.count; ++i)
    area += list.at[i].kind->area(&list.at[i]);
  return area;
}

void check_meshes(void) {
  double last = 0;
  vector centre = {1, -2, 3};
  for (int depth = 0; depth < 4; ++depth) {
    shape_list ball = make_ball(centre, 2, depth, 0);
    double share = area_of(ball) / (4 * PI * 2 * 2);
    CHECK_EQUAL(ball.count, 20L << (2 * depth));
    CHECK(last < share && share < 1);
    last = share;
    release(ball.at);
  }
  CHECK(last > 0.99);
  shape_list hills = make_hills(centre, 4, 0.5, 4, 0);
  CHECK_EQUAL(hills.count, 2L << 8);
  CHECK(area_of(hills) > 16);
  for (long i = 0; i < hills.count; ++i)
    CHECK(hills.at[i].kind->normal(&hills.at[i], centre).y > 0);
  release(hills.at);
}

void check_hits(const scene *s, int rays) {
  int hits = 0;
  for (int i = 0; i < rays; ++i) {
    ray r = {scale(6, in_ball(31, i)), unit(in_ball(32, i))};
    hit found = first_hit(s->tree, r, 1e-6);
    const shape *nearest = NULL;
    double distance = 1e300;
    for (long k = 0; k < s->shapes.count; ++k) {
      const shape *one = &s->shapes.at[k];
      double at = one->kind->meet(one, r, 1e-6, distance);
      if (at >= 0) {
        nearest = one;
        distance = at;
      }
    }
    CHECK((nearest != NULL) == (found.shape != NULL));
    CHECK(is_blocked(s->tree, r, 1e-6, 1e300) == (nearest != NULL));
    if (!nearest)
      continue;
    ++hits;
    CHECK(fabs(found.distance - distance) < 1e-9);
    CHECK(fabs(norm(found.normal) - 1) < 1e-9);
    CHECK(dot(found.normal, r.along) <= 0);
    CHECK(!is_blocked(s->tree, r, 1e-6, distance - 1e-9));
  }
  CHECK(hits > rays / 10);
}

static image picture_of(const char *text, int side) {
  problem p;
  document *d = parse_document(text, &p);
  CHECK(d);
  scene *s = make_scene(d, 0, &p);
  CHECK(s);
  image picture = make_image(side, side);
  quality q = {2, 2, 0.01};
  render(s, q, picture);
  destroy_scene(s);
  destroy_document(d);
  return picture;
}

void check_pictures(void) {
  /* A glowing ball fills the cone of its tangents. */
  image ball =
      picture_of("camera { from 0, 0, 5; at 0, 0, 0; angle 90; }\n"
                 "sky { colour 0, 0, 0; }\n"
                 "material sun { shader glow; colour 1, 1, 1; }\n"
                 "sphere { centre 0, 0, 0; radius 3; material sun; }\n",
                 40);
  double sum = 0, tangent = 3.0 / 4;
  for (int i = 0; i < 40 * 40; ++i)
    sum += ball.at[i].x > 0.5;
  CHECK(fabs(sum / (40 * 40) - PI * tangent * tangent / 4) < 0.02);

  /* Blurring keeps what is uniform, and the mean of what has no rim. */
  image dot_image = make_image(21, 21);
  *pixel_of(dot_image, 10, 10) = make_vector(25, 50, 0);
  blur(dot_image, 2);
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 21; ++x) {
      bool near = x >= 8 && x <= 12 && y >= 8 && y <= 12;
      colour c = *pixel_of(dot_image, x, y);
      CHECK(norm(minus(c, make_vector(near, 2 * near, 0))) < 1e-12);
    }
  histogram shades = count_shades(dot_image);
  CHECK_EQUAL(shades.count[0], 21 * 21 - 25);
  CHECK_EQUAL(shades.count[Shades - 1], 25);
  destroy_image(&dot_image);

  /* What a mirror shows is what is seen from behind it. */
  const char *room =
      "sky { colour 1, 0.5, 0.2; }\n"
      "material lamp { shader glow; texture checks;\n"
      "  colour 1, 0, 0; second 0, 1, 0; size 0.5; }\n"
      "material tin { shader mirror; colour 1, 1, 1; share 1; }\n"
      "ball { centre 0, 0, 4; radius 1; depth 2; material lamp; }\n";
  char text[2][700];
  snprintf(text[0], sizeof text[0],
           "%scamera { from 0, 0, 2; at 0, 0, 0; angle 60; }\n"
           "disc { centre 0, 0, 0; normal 0, 0, 1; radius 50; material tin; }",
           room);
  snprintf(text[1], sizeof text[1],
           "%scamera { from 0, 0, -2; at 0, 0, 0; angle 60; }", room);
  image mirrored_image = picture_of(text[0], 24);
  image direct = picture_of(text[1], 24), flipped = make_image(24, 24);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x)
      *pixel_of(flipped, 23 - x, y) = *pixel_of(direct, x, y);
  /* Fog makes them differ a little: it counts each stretch of a ray alike, but
     not the one from the mirror to the sky. */
  CHECK_EQUAL(differences(mirrored_image, flipped, 0.02), 0);
  destroy_image(&mirrored_image);
  destroy_image(&direct);
  destroy_image(&flipped);
  destroy_image(&ball);
}
