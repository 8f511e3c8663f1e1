// What the functions read and write, as csmith_effects.py must find it. A comment behind a
// function's name has the variables of the file that it reads and those that it writes.
static int g_1 = 1, g_2 = 2, g_3 = 3, g_4[2][3];
static int *g_5 = &g_1;
static int **g_6 = &g_5;
struct S0 { int f0; int f1 : 3; };
static struct S0 g_7 = {1, 2}, g_8;
static int *g_9[2] = {&g_4[1][2], (void *)0};

static int plain(void) { // reads g_1; writes g_2
  return (g_2 = g_1);
}
static int compound(void) { // reads g_2 g_3; writes g_2 g_3
  g_2 += 1;
  return g_3++;
}
static void element(int p_1) { // reads g_2; writes g_4
  g_4[p_1][0] = g_2;
}
static void member(void) { // reads g_8; writes g_7
  g_7.f1 = g_8.f0;
}
static void record(void) { // reads g_8; writes g_7
  g_7 = g_8;
}
static int pointer(void) { // reads g_5 g_1 g_2; writes
  return *g_5;
}
static void redirect(void) { // reads g_6; writes g_5
  *g_6 = &g_2;
}
static void array(void) { // reads g_9; writes g_4
  *g_9[0] = 3;
}
static void parameter(int *p_1) { // reads; writes g_3
  *p_1 = 1;
}
static void calls(void) { // reads g_1; writes g_2 g_3
  int l_1 = 0;
  parameter(&g_3);
  l_1 = plain();
}
static int *result(void) { // reads; writes
  return &g_4[0][0];
}
static void through(void) { // reads; writes g_4
  *result() = 7;
}
static void locals(int *p_1) { // reads; writes
  int l_1[2] = {0, 1}, *l_2 = &l_1[1];
  *l_2 = l_1[0];
  p_1 = l_2;
}
static int condition(int p_1) { // reads g_1 g_3; writes g_2
  for (p_1 = 0; p_1 < g_1; ++p_1)
    if (g_3)
      return (g_2 = 1);
  return 0;
}
