#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Makes the transformer's programs for several meshes, and trains each on as many MPI ranks as it has.
#
# usage: examples/transformer/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

# An installed Tessera needs no more than `pkg-config --cflags --libs tessera-passes`.
export PKG_CONFIG_PATH=$build/packaging
sanitizer=${TESSERA_SANITIZE:+-fsanitize=address,undefined}
# shellcheck disable=SC2046,SC2086
show cc -std=c17 -O1 $sanitizer -I "$root/include" $(pkg-config --cflags tessera-passes) \
  "$here/model.c" -o "$out/model" -L "$build/lib" $(pkg-config --libs tessera-passes) \
  -Wl,-rpath,"$build/lib"
# shellcheck disable=SC2086
show cc -std=c17 -D_GNU_SOURCE -O2 $sanitizer -I "$root/include" "$here/train.c" "$here/task.c" \
  -o "$out/train" -L "$build/lib" -ltessera -Wl,-rpath,"$build/lib" -lm -pthread

# program NAME OPTION... -- MODEL-ARGUMENT... writes NAME.mlir and compiles it.
program() {
  local name=$1 options=()
  shift
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  shift
  say "+ model $* > $name.mlir"
  "$out/model" "$@" >"$out/$name.mlir"
  show tesserac -O1 "${options[@]}" "$out/$name.mlir" -o "$out/$name.so"
}

program single --oracle -- step 1 1
for mesh in "1 2" "2 2"; do
  # shellcheck disable=SC2086
  set -- $mesh
  program "step_$1x$2" -- step "$1" "$2"
  on $(($1 * $2)) "$out/train" "$out/single.so" "$out/step_$1x$2.so" data "$1" "$2"
done
for tensor in 1 2; do
  program "stages_$tensor" -- stages "$tensor"
  for schedule in gpipe 1f1b; do
    on $((2 * tensor)) "$out/train" "$out/single.so" "$out/stages_$tensor.so" $schedule 2 $tensor
  done
done
show "$out/train" "$out/single.so" "$out/stages_2.so" 1f1b 2 2 --ranks 4
