#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the example, runs it on four MPI ranks and on one device, and compares.
#
# usage: examples/attention/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

collectives "$here/attention.mlir" all_reduce=1
compare "$here/attention.mlir" "" 4x16x64 64x64 64x64 64x64 64x64
show tessera-check "$here/attention.mlir" --seed 1 --grid 2x2,4x1,1x4,2x4
