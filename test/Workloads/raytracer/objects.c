//===- objects.c - From a document to a scene ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "scene.h"

#include "memory.h"
#include "world.h"
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

/* What is known while one object is made. */
typedef struct {
  scene *scene;
  const object *object;
  environment where;
  shape_list shapes;
  problem problem;
} context;

static bool wrong(context *c, const field *f, const char *what) {
  return report(&c->problem, f->line, f->column, "'%s' %s", f->name, what);
}

static const field *find_field(context *c, const char *name, bool needed) {
  for (const field *f = c->object->fields; f; f = f->next)
    if (strcmp(f->name, name) == 0)
      return f;
  if (needed)
    report(&c->problem, c->object->line, c->object->column, "a %s needs '%s'",
           c->object->kind, name);
  return NULL;
}

/* Evaluates a field of `count` numbers; false after a problem. */
static bool read_numbers(context *c, const char *name, int count, double *out) {
  const field *f = find_field(c, name, true);
  if (!f)
    return false;
  if (f->count != count)
    return wrong(c, f,
                 count == 1 ? "takes one number"
                            : "takes another number of values");
  for (int i = 0; i < count; ++i)
    out[i] = cilk_spawn evaluate(f->values[i], c->where);
  cilk_sync;
  for (int i = 0; i < count; ++i)
    if (!isfinite(out[i]))
      return wrong(c, f, "is not finite");
  return true;
}

static bool read_vector(context *c, const char *name, vector *out) {
  double value[3];
  if (!read_numbers(c, name, 3, value))
    return false;
  *out = make_vector(value[0], value[1], value[2]);
  return true;
}

static bool read_positive(context *c, const char *name, double *out) {
  if (!read_numbers(c, name, 1, out))
    return false;
  return *out > 0 || wrong(c, find_field(c, name, true), "must be positive");
}

static bool read_count(context *c, const char *name, int most, int *out) {
  double value;
  if (!read_numbers(c, name, 1, &value))
    return false;
  *out = (int)value;
  return (value >= 0 && value <= most && value == *out) ||
         wrong(c, find_field(c, name, true), "is no such number");
}

static const char *read_word(context *c, const char *name) {
  const field *f = find_field(c, name, true);
  if (f && !f->word)
    wrong(c, f, "takes a name");
  return f ? f->word : NULL;
}

static bool read_material(context *c, const char *name, int *out) {
  const char *word = read_word(c, name);
  if (!word)
    return false;
  for (int i = 0; i < c->scene->material_count; ++i)
    if (strcmp(c->scene->materials[i].name, word) == 0) {
      *out = i;
      return true;
    }
  return report(&c->problem, c->object->line, c->object->column,
                "no material '%s' above", word);
}

/* The kinds of objects. */

static bool make_camera(context *c) {
  vector from, at;
  double angle;
  if (!read_vector(c, "from", &from) || !read_vector(c, "at", &at) ||
      !read_positive(c, "angle", &angle))
    return false;
  camera *made = &c->scene->camera;
  double half = tan(angle * PI / 360);
  made->eye = from;
  made->forward = unit(minus(at, from));
  made->right = scale(half, unit(cross(made->forward, make_vector(0, 1, 0))));
  made->up = cross(made->right, made->forward);
  return true;
}

static bool make_sky(context *c) {
  return read_vector(c, "colour", &c->scene->sky);
}

static bool make_light(context *c) {
  light made = {.samples = 1};
  if (!read_vector(c, "centre", &made.centre) ||
      !read_vector(c, "power", &made.power))
    return false;
  if (find_field(c, "radius", false) &&
      (!read_positive(c, "radius", &made.radius) ||
       !read_count(c, "samples", 64, &made.samples)))
    return false;
  c->scene->lights[c->scene->light_count++] = made;
  return true;
}

static bool make_material(context *c) {
  material made = {.name = c->object->name, .share = 0, .index = 1};
  if (!made.name)
    return report(&c->problem, c->object->line, c->object->column,
                  "a material needs a name");
  const char *shader_name = read_word(c, "shader");
  if (!shader_name)
    return false;
  made.shade = find_shader(shader_name);
  if (!made.shade)
    return wrong(c, find_field(c, "shader", true), "is not known");
  made.texture.paint = find_painter("plain");
  if (find_field(c, "texture", false)) {
    const char *name = read_word(c, "texture");
    made.texture.paint = name ? find_painter(name) : NULL;
    if (!made.texture.paint)
      return wrong(c, find_field(c, "texture", true), "is not known");
    if (!read_vector(c, "second", &made.texture.second) ||
        !read_positive(c, "size", &made.texture.size))
      return false;
  }
  if (find_field(c, "over", false))
    return read_material(c, "over", &made.layers[0]) &&
           read_material(c, "under", &made.layers[1]) &&
           read_numbers(c, "share", 1, &made.share) &&
           (c->scene->materials[c->scene->material_count++] = made, true);
  if (!read_vector(c, "colour", &made.texture.first) ||
      (find_field(c, "share", false) &&
       !read_numbers(c, "share", 1, &made.share)) ||
      (find_field(c, "index", false) &&
       !read_positive(c, "index", &made.index)))
    return false;
  c->scene->materials[c->scene->material_count++] = made;
  return true;
}

static bool make_one_sphere(context *c) {
  vector centre;
  double radius;
  int material;
  if (!read_vector(c, "centre", &centre) ||
      !read_positive(c, "radius", &radius) ||
      !read_material(c, "material", &material))
    return false;
  append(&c->shapes, make_sphere(centre, radius, material));
  return true;
}

static bool make_one_disc(context *c) {
  vector centre, normal;
  double radius;
  int material;
  if (!read_vector(c, "centre", &centre) ||
      !read_vector(c, "normal", &normal) ||
      !read_positive(c, "radius", &radius) ||
      !read_material(c, "material", &material))
    return false;
  if (dot(normal, normal) == 0)
    return wrong(c, find_field(c, "normal", true), "has no direction");
  append(&c->shapes, make_disc(centre, normal, radius, material));
  return true;
}

static bool make_one_tube(context *c) {
  vector foot, top;
  double radius;
  int material;
  if (!read_vector(c, "foot", &foot) || !read_vector(c, "top", &top) ||
      !read_positive(c, "radius", &radius) ||
      !read_material(c, "material", &material))
    return false;
  append(&c->shapes, make_tube(foot, top, radius, material));
  append(&c->shapes, make_disc(top, minus(top, foot), radius, material));
  return true;
}

static bool make_one_ball(context *c) {
  vector centre;
  double radius;
  int depth, material;
  if (!read_vector(c, "centre", &centre) ||
      !read_positive(c, "radius", &radius) ||
      !read_count(c, "depth", 8, &depth) ||
      !read_material(c, "material", &material))
    return false;
  c->shapes = make_ball(centre, radius, depth, material);
  return true;
}

static bool make_some_hills(context *c) {
  vector centre;
  double side, height;
  int depth, material;
  if (!read_vector(c, "centre", &centre) || !read_positive(c, "side", &side) ||
      !read_positive(c, "height", &height) ||
      !read_count(c, "depth", 10, &depth) ||
      !read_material(c, "material", &material))
    return false;
  c->shapes = make_hills(centre, side, height, depth, material);
  return true;
}

/* The balls of the simulated world. */
static bool make_swarm(context *c) {
  int material;
  if (!read_material(c, "material", &material))
    return false;
  for (long i = 0; i < world_size(); ++i) {
    const particle *p = world_particle(i);
    append(&c->shapes, make_sphere(p->place, p->radius, material));
  }
  return true;
}

typedef bool maker(context *c);

static const struct {
  const char *name;
  maker *make;
  bool first; /* others depend on it */
  const char *fields;
} kinds[] = {
    {"camera", make_camera, true, " from at angle "},
    {"sky", make_sky, true, " colour "},
    {"light", make_light, true, " centre power radius samples "},
    {"material", make_material, true,
     " shader colour texture second size share index over under "},
    {"sphere", make_one_sphere, false, " centre radius material "},
    {"disc", make_one_disc, false, " centre normal radius material "},
    {"tube", make_one_tube, false, " foot top radius material "},
    {"ball", make_one_ball, false, " centre radius depth material "},
    {"hills", make_some_hills, false, " centre side height depth material "},
    {"swarm", make_swarm, false, " material "},
};
enum { KindCount = sizeof kinds / sizeof *kinds };

static int find_kind(context *c) {
  for (int i = 0; i < KindCount; ++i)
    if (strcmp(c->object->kind, kinds[i].name) == 0)
      return i;
  report(&c->problem, c->object->line, c->object->column,
         "there is no kind '%s'", c->object->kind);
  return -1;
}

static bool fields_are_known(context *c, int kind) {
  for (const field *f = c->object->fields; f; f = f->next) {
    char word[40];
    snprintf(word, sizeof word, " %.36s ", f->name);
    if (!strstr(kinds[kind].fields, word))
      return report(&c->problem, f->line, f->column, "a %s has no '%s'",
                    c->object->kind, f->name);
  }
  return true;
}

/* Makes the objects whose kind says `first`, or the others beside each other.
 */
static bool make_objects(context *all, int count, bool first) {
  bool *good = allocate(count, sizeof *good), every = true;
  for (int i = 0; i < count; ++i) {
    context *c = &all[i];
    int kind = find_kind(c);
    good[i] = kind >= 0 && fields_are_known(c, kind);
    if (!good[i] || kinds[kind].first != first)
      continue;
    good[i] = cilk_spawn kinds[kind].make(c);
    if (first)
      cilk_sync;
  }
  cilk_sync;
  for (int i = 0; i < count; ++i)
    every = every && good[i];
  release(good);
  return every;
}

/* One list of all objects' shapes, in the document's order. */
static shape_list gathered(context *all, int count) {
  shape_list list = {NULL, 0, 0};
  for (int i = 0; i < count; ++i)
    list.room += all[i].shapes.count;
  list.at = allocate(list.room, sizeof *list.at);
  for (int i = 0; i < count; ++i) {
    for (long k = 0; k < all[i].shapes.count; ++k)
      list.at[list.count++] = all[i].shapes.at[k];
  }
  return list;
}

scene *make_scene(const document *d, double time, problem *p) {
  memset(p, 0, sizeof *p);
  scene *s = allocate(1, sizeof *s);
  s->materials = allocate(d->object_count, sizeof *s->materials);
  s->lights = allocate(d->object_count, sizeof *s->lights);
  double *values = allocate(d->let_count, sizeof *values);
  environment where = {time, values};
  for (int i = 0; i < d->let_count; ++i)
    values[i] = evaluate(d->lets[i], where);

  context *all = allocate(d->object_count, sizeof *all);
  for (int i = 0; i < d->object_count; ++i) {
    all[i].scene = s;
    all[i].object = &d->objects[i];
    all[i].where = where;
  }
  bool good = make_objects(all, d->object_count, true) &&
              make_objects(all, d->object_count, false);
  if (good) {
    s->shapes = gathered(all, d->object_count);
    s->tree = build_bvh(s->shapes.at, s->shapes.count);
  }
  for (int i = d->object_count; i-- > 0;) {
    if (all[i].problem.message[0])
      *p = all[i].problem;
    release(all[i].shapes.at);
  }
  release(all);
  release(values);
  if (good)
    return s;
  destroy_scene(s);
  return NULL;
}

void destroy_scene(scene *s) {
  cilk_spawn destroy_bvh(s->tree);
  release(s->materials);
  release(s->lights);
  cilk_sync;
  release(s->shapes.at);
  release(s);
}
