#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Models in full size, imported from JAX: seconds to compile, a step, bytes, beside JAX on the same
# cores; medians of interleaved rounds. Needs BUILD/jax (bench/README.md); with --from, numpy alone.
# Fails only where a model does not compile or run, or has other results than JAX.
#
# usage: bench/models/models.sh [BUILD] [--only TEXT] [--rounds N] [--small] [--mpi openmpi|mpich]
#                               [--from FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

build=$root/build
if [[ $# -gt 0 && $1 != --* ]]; then
  build=$1
  shift
fi
[[ -x $build/bin/tesserac ]] || die "no $build/bin/tesserac; run scripts/build.sh"
python=python3
if [[ " $* " != *" --from "* ]]; then
  python=$build/jax/bin/python3
  [[ -x $python ]] || die "no $python: bench/README.md says how to make it; --from needs none"
fi
"$python" "$root/bench/models/models.py" "$build" --folder "$scratch" "$@"
