#!/bin/sh
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Times compiled code on one core: gelu + softmax of 1024x1024, and a 1024^3 matrix product beside
# cblas_sgemm of the same library. Usage: bench/codegen.sh [BUILD-DIR [ROUNDS]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TESSERA_CACHE=none
for program in gelu_softmax matmul; do
  "$build/bin/tesserac" "$here/codegen_$program.mlir" -o "$work/$program.so"
done
"${CC:-cc}" -O2 -std=c17 -D_GNU_SOURCE -I"$here/../include" "$here/codegen.c" -o "$work/codegen" \
  -L"$build/lib" -ltessera -ldl -lm -Wl,-rpath,"$build/lib"
pin=$(command -v taskset >/dev/null && echo "taskset -c 0" || true)
OPENBLAS_NUM_THREADS=1 $pin "$work/codegen" "$work/gelu_softmax.so" "$work/matmul.so" "${2:-51}"
