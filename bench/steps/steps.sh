#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Training steps, a matrix product and a stencil on 1, 2 and 4 ranks, beside the same by hand in C
# with MPI and BLAS, and in JAX where BUILD/jax is an environment that has it (--jax PYTHON for
# another): medians of interleaved rounds. Fails only where results differ.
#
# usage: bench/steps/steps.sh [BUILD] [--only TEXT] [--ranks 1,2,4] [--rounds N]
#                             [--mpi openmpi|mpich] [--jax PYTHON|none] [--from FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

build=$root/build
if [[ $# -gt 0 && $1 != --* ]]; then
  build=$1
  shift
fi
[[ -x $build/bin/tesserac ]] || die "no $build/bin/tesserac; run scripts/build.sh"
# Threads by OpenMP that have nothing to do sleep: the next one to be timed needs their cores.
export OMP_WAIT_POLICY=passive
python3 "$root/bench/steps/steps.py" "$build" --folder "$scratch" "$@"
