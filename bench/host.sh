#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Ranks of one host, two minutes in all: threads beside threads that add and copy directly by hand, 8 B to
# 64 MiB; then all_reduce of processes beside MPI_Allreduce, for each MPI that is there. Prints numbers, and the
# load that the machine had: ratios of a machine that others use say little.
#
# usage: bench/host.sh [BUILD] [--ranks N] [--seconds S] [--rounds N]
#   --seconds S   for each row of threads (0.5)
#   --rounds N    of processes, more for short calls (11)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build ranks=2 seconds=0.5 rounds=11
while (($#)); do
  case $1 in
    --ranks | --seconds | --rounds)
      [[ $# -ge 2 ]] || die "$1 takes a value"
      declare "${1#--}=$2"
      shift ;;
    -*) die "there is no option $1" ;;
    *) build=$1 ;;
  esac
  shift
done
[[ -x $build/bench/bench-host ]] || die "no $build/bench/bench-host; run scripts/build.sh"
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg), cores: $(nproc)"
"$build/bench/bench-host" "$ranks" "$seconds"
for mpi in openmpi mpich; do
  [[ -x $build/bench/bench-collectives-$mpi ]] || { echo "no bench-collectives-$mpi"; continue; }
  "$root/bench/collectives.sh" "$build" --mpi "$mpi" --ranks "$ranks" --rounds "$rounds" --only all_reduce
done
echo "load after: $(cut -d' ' -f1-3 /proc/loadavg)"
