#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Programs of the corpus, of the examples and random ones for a GPU: their kernels assemble, where ptxas of
# CUDA is, and they compute what the CPU does, on the driver of test/cuda; functions of numbers, by name, what
# the host's do. A line PASS, FAIL or SKIP per program; exit status 1 after a FAIL.
#
# usage: test/kernels/run.sh BUILD [--filter REGEX]
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

build=$(cd "${1:?usage: test/kernels/run.sh BUILD [--filter REGEX]}" && pwd)
filter=. seeds=16
[[ ${2:-} == --filter ]] && filter=${3:?--filter takes a regular expression}
ptxas=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas) || echo "SKIP assembling (no ptxas)"
driver=$build/test/cuda
[[ -e $driver/libcuda.so.1 ]] || { driver=; echo "SKIP running (no driver of test/cuda)"; }
export root tesserac=$build/bin/tesserac check=$build/bin/tessera-check logs=$build/kernels ptxas driver
[[ -x $tesserac ]] || die "no $tesserac"
mkdir -p "$logs"

# assembles FILE PTX
assembles() {
  timeout --kill-after=5 120 "$tesserac" "$1" --target=cuda --emit=kernels -o "$2" || return 1
  [[ -z $ptxas || ! -s $2 ]] || "$ptxas" -arch=sm_90 "$2" -o /dev/null
}

# runs FILE: on its own grid, as the first line of its RUN-CHECK lines says, or all where the library's
# products are what it is about. Examples are large: products are the library's. Those that stay are collectives written by hand, and functions of several programs.
runs() {
  local lines=1 line found entry=()
  [[ -n $driver ]] || return 0
  case $1 in
    */examples/feed-forward/* | */examples/stencil/heat.mlir | */examples/annotations/manual.mlir) return 0 ;;
    */examples/digits/*) entry=(--entry train_step) ;;
  esac
  export TESSERA_CUBLASLT=none
  [[ $1 != */examples/* && $1 != *-behind-products.mlir ]] || export TESSERA_CUBLASLT=$driver/libcublasLt.so STANDIN_ROWS=1000000
  [[ $1 != *-behind-products.mlir ]] || lines=9
  mapfile -t found < <(sed -n 's/^.*RUN-CHECK://p' "$1" | sed -E "s/--grid [^ ]+//; ${lines}q")
  for line in "${found[@]:-}"; do
    # The line's words are arguments.
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$driver timeout --kill-after=5 120 "$check" "$1" --target=cuda "${entry[@]}" $line \
      </dev/null || return 1
  done
}

# one FILE
one() {
  local file=$1 name
  name=${1#"$logs"/} name=${name#"$root"/} name=${name%.mlir} name=${name//\//_}
  local ptx=$logs/$name.ptx log=$logs/$name.log
  if assembles "$file" "$ptx" >"$log" 2>&1 && runs "$file" >>"$log" 2>&1; then
    echo "PASS $name"
    rm -f "$ptx"
  else
    echo "FAIL $name ($log)"
    return 1
  fi
}
export -f one assembles runs

for seed in $(seq "$seeds"); do
  python3 -B "$root/test/fuzz/gen.py" --seed "$seed" --graphs 2 --ops 7 >"$logs/random_$seed.mlir"
done
status=0
if [[ -n $driver ]] && grep -qE "$filter" <<<functions; then
  LD_LIBRARY_PATH=$driver python3 "$root/test/kernels/functions.py" "$build" "$logs" 2 || status=1
fi
{
  find "$root/test/corpus" "$root/examples" -name '*.mlir' | sort
  seq -f "$logs/random_%g.mlir" "$seeds"
} | grep -E "$filter" | xargs -P "$(nproc)" -I{} bash -c 'one {}' || status=1
exit "$status"
