#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Kernels of all programs of the corpus and of the examples for a GPU: their PTX assembles. A line PASS,
# FAIL or SKIP per program; exit status 1 after a FAIL. Needs ptxas, of CUDA, and skips without it.
#
# usage: test/kernels/run.sh BUILD [--filter REGEX]
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

build=$(cd "${1:?usage: test/kernels/run.sh BUILD [--filter REGEX]}" && pwd)
filter=.
[[ ${2:-} == --filter ]] && filter=${3:?--filter takes a regular expression}
ptxas=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas) || { echo "SKIP kernels (no ptxas)"; exit 0; }
export root tesserac=$build/bin/tesserac logs=$build/kernels ptxas
[[ -x $tesserac ]] || die "no $tesserac"
mkdir -p "$logs"

# one FILE
one() {
  local file=$1 name
  name=${1#"$root"/} name=${name%.mlir} name=${name//\//_}
  local ptx=$logs/$name.ptx log=$logs/$name.log
  if timeout --kill-after=5 120 "$tesserac" "$file" --target=cuda --emit=kernels -o "$ptx" \
    >"$log" 2>&1 && { [[ ! -s $ptx ]] || "$ptxas" -arch=sm_90 "$ptx" -o /dev/null >>"$log" 2>&1; }; then
    echo "PASS $name"
    rm -f "$ptx"
  else
    echo "FAIL $name ($log)"
    return 1
  fi
}
export -f one

find "$root/test/corpus" "$root/examples" -name '*.mlir' | sort | grep -E "$filter" |
  xargs -P "$(nproc)" -I{} bash -c 'one {}'
