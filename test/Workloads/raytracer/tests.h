//===- tests.h - The program's checks of itself -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_TESTS_H
#define RAYTRACER_TESTS_H

#include "image.h"
#include "scene.h"

/// Bad scenes must be refused with the right message at the right place.
void check_messages(void);
/// Expressions must have the values that C gives them.
void check_expressions(void);
/// Surfaces of meshes and of what they stand for.
void check_meshes(void);
/// Rays must hit what a search of all shapes finds.
void check_hits(const scene *s, int rays);
/// Pictures whose colours can be told without tracing.
void check_pictures(void);

#endif
