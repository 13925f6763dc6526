#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the example, runs it on four MPI ranks and on one device, and compares.
#
# usage: examples/mlp-input-only/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

collectives "$here/mlp.mlir"
compare "$here/mlp.mlir" "" 64x256 256x1024 1024x256
show tessera-check "$here/mlp.mlir" --seed 1 --grid 2x2,1x4,4x1,2x3
