#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the C program and runs it on meshes of MPI ranks.
#
# usage: examples/mesh/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

show cc -std=c17 -O2 ${TESSERA_SANITIZE:+-fsanitize=address,undefined} -I "$root/include" \
  "$here/perceptron.c" -o "$out/perceptron" -L "$build/lib" -ltessera -Wl,-rpath,"$build/lib" -lm
for shape in "1 1" "2 2" "1 4" "3 2"; do
  # shellcheck disable=SC2086
  set -- $shape
  on $(($1 * $2)) "$out/perceptron" "$1" "$2"
done
