long sum(const long *from, long n) {
  long all = 0;
  all += from[n];
  // 4
  // 5
  // 6
  // 7
  // 8
  all *= n;
  return all;
}
