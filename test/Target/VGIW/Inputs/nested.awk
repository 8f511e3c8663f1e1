# The host does packages of system calls one after another: the run is no shorter
# than they are with what they spawned.
{ value[$1] = $2 }
END {
  least = 1400 * value["host.packages"] + 140 * value["fabric.syscalls"] + value["program.nested_cycles"]
  if (value["program.nested_runs"] < 5 || value["program.nested_cycles"] < 5000 ||
      value["run.cycles"] < least) {
    print value["run.cycles"] " cycles, and " least " of system calls"
    exit 1
  }
}
