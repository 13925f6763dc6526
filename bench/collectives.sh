#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Each collective of the runtime beside MPI by hand (derived datatypes, packing) and the direct call,
# from 8 B to 64 MiB: medians of interleaved rounds, in microseconds. Prints numbers; fails only where
# the results of two ways differ.
#
# usage: bench/collectives.sh [BUILD] [--mpi openmpi|mpich] [--ranks N] [--rounds N] [--only TEXT]
#                             [--least BYTES] [--most BYTES]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build mpi=openmpi ranks=2 rounds=21 only="" least=8 most=67108864
while (($#)); do
  case $1 in
    --mpi | --ranks | --rounds | --only | --least | --most)
      [[ $# -ge 2 ]] || die "$1 takes a value"
      declare "${1#--}=$2"
      shift ;;
    -*) die "there is no option $1" ;;
    *) build=$1 ;;
  esac
  shift
done
program=$build/bench/bench-collectives-$mpi
[[ -x $program ]] || die "no $program; run scripts/build.sh with that MPI installed"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
exec "mpirun.$mpi" -n "$ranks" "$program" "$rounds" "$only" "$least" "$most"
