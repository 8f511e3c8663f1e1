// What csmith_rewrite.py may rewrite, and what not: each marker g_1N is written in a place
// of its own.
#include <stdint.h>
static int32_t g_1, g_2, g_3, g_11, g_12, g_13, g_14;
static int32_t func_2(int32_t p_1) { return p_1 + g_1; }
static int32_t func_3(void) { return g_2 = 1; }
static int32_t func_4(void) {
  int32_t l_1[9], l_2, l_3[3][2], i;
  for (i = 0; i < 4; i += 1) l_1[i] = i; // independent
  for (i = 0; i < 5; i += 1) l_1[i] = l_1[i + 1]; // one iteration reads another's
  for (i = 0; i < 6; i += 1) g_3 = i; // all write one object
  for (i = 0; i != 7; i += 2) l_1[i] = 0; // has no end
  for (i = 0; i < 8; i += 1) { // ends early
    l_1[i] = 0;
    if (g_1)
      break;
  }
  for (i = 0; i < 3; i += 1) { // independent, with a counter of its own
    int32_t j;
    for (j = 0; j < 2; j += 1)
      l_3[i][j] = j;
  }
  g_11 = func_2(1); // then a write of what it reads
  g_1 = 2;
  g_12 = 1 || func_3(); // is not evaluated
  g_13 = g_2 + func_3(); // in which order?
  g_14 = g_3 + func_2(2); // in any order
  return l_1[0];
}
int main(void) { return func_4(); }
