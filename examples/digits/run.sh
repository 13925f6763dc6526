#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the training step and the C program, and trains on four ranks: MPI ranks, or with
# `local` threads of one process.
#
# usage: examples/digits/run.sh [BUILD [mpi|local]]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

show tesserac "$here/train_step.mlir" -o "$out/train_step.so"
show tesserac --oracle "$here/train_step.mlir" -o "$out/single.so"
show cc -std=c17 -D_GNU_SOURCE -O2 ${TESSERA_SANITIZE:+-fsanitize=address,undefined} \
  -I "$root/include" "$here/train.c" -o "$out/train" \
  -L "$build/lib" -ltessera -Wl,-rpath,"$build/lib" -lm -pthread
if [[ ${2:-mpi} == local ]]; then
  show "$out/train" "$out/train_step.so" "$out/single.so" "$here/data" --ranks 4
else
  on 4 "$out/train" "$out/train_step.so" "$out/single.so" "$here/data"
fi
