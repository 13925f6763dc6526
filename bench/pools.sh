#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiled pools of f32 as networks have them, beside plain loops in C on one core (cc -O3 -march=native) and
# oneDNN called directly with as many threads: times in turn. oneDNN's maxima lose NaNs, and its averages are
# sums that are divided. 0: there is no oneDNN.
# usage: bench/pools.sh [BUILD] [--rounds N] [--only REGEX]; one core, then all, or as many as TESSERA_THREADS says.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build rounds=31 only=.
while (($#)); do
  case $1 in
    --rounds | --only)
      [[ $# -ge 2 ]] || die "$1 takes a value"
      [[ $1 == --rounds ]] && rounds=$2 || only=$2
      shift ;;
    -*) die "there is no option $1" ;;
    *) build=$1 ;;
  esac
  shift
done
[[ -x $build/bin/tesserac ]] || die "no $build/bin/tesserac; run scripts/build.sh"
build=$(cd "$build" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TESSERA_CACHE=none

# layout, kind, images, height, width, channels, side of the window, step
cases='
nhwc max 8 113 113 64 3 2
nhwc max 8 112 112 128 2 2
nhwc max 1 28 28 512 2 2
nhwc sum 8 37 37 192 3 1
nhwc sum 8 7 7 2048 7 1
nchw max 8 113 113 64 3 2
nchw max 8 112 112 128 2 2
nchw max 1 28 28 512 2 2
nchw sum 8 37 37 192 3 1
nchw sum 8 7 7 2048 7 1
'

# program LAYOUT KIND IMAGES HEIGHT WIDTH CHANNELS SIDE STEP
program() {
  local rows=$((($4 - $7) / $8 + 1)) columns=$((($5 - $7) / $8 + 1)) start=0.0 in out
  [[ $2 != max ]] || start=0xFF800000
  in=${3}x${4}x${5}x${6} out=${3}x${rows}x${columns}x${6}
  [[ $1 == nhwc ]] || { in=${3}x${6}x${4}x${5} out=${3}x${6}x${rows}x${columns}; }
  cat <<END
func.func @main(%x: tensor<${in}xf32>) -> tensor<${out}xf32> {
  %start = arith.constant $start : f32
  %w = tensor.empty() : tensor<${7}x${7}xf32>
  %e = tensor.empty() : tensor<${out}xf32>
  %f = linalg.fill ins(%start : f32) outs(%e : tensor<${out}xf32>) -> tensor<${out}xf32>
  %y = linalg.pooling_${1}_$2 {strides = dense<$8> : tensor<2xi64>}
      ins(%x, %w : tensor<${in}xf32>, tensor<${7}x${7}xf32>) outs(%f : tensor<${out}xf32>) -> tensor<${out}xf32>
  return %y : tensor<${out}xf32>
}
END
}

cores=${TESSERA_THREADS:-$(nproc)}
printf '%-34s %7s %9s %9s %9s %9s %9s\n' '' threads 'ours ms' 'C ms' 'oneDNN ms' 'ours/C' 'ours/1DNN'
while read -r layout kind images height width channels side step; do
  name="$layout $kind ${images}x${height}x${width}x$channels ${side}x$side/$step"
  [[ -n $layout && $name =~ $only ]] || continue
  program "$layout" "$kind" "$images" "$height" "$width" "$channels" "$side" "$step" >"$work/pool.mlir"
  "$build/bin/tesserac" "$work/pool.mlir" -o "$work/pool.so"
  "${CC:-cc}" -O3 -march=native -std=gnu17 -Wall -Wextra -I"$root/include" -DKIND="KIND_$kind" \
    -DCHANNELS_FIRST=$([[ $layout == nchw ]] && echo 1 || echo 0) -DIMAGES="$images" -DHEIGHT="$height" \
    -DWIDTH="$width" -DCHANNELS="$channels" -DSIDE="$side" -DSTEP="$step" "$root/bench/pools.c" -o "$work/pools" \
    -L"$build/lib" -ltessera -ldl -lm -Wl,-rpath,"$build/lib"
  for threads in 1 $((cores > 1 ? cores : 0)); do
    ((threads)) || continue
    read -r ours plain library by_plain by_library <<<"$(TESSERA_THREADS=$threads "$work/pools" "$work/pool.so" "$rounds" "$threads")"
    printf '%-34s %7s %9s %9s %9s %9s %9s\n' "$name" "$threads" "$ours" "$plain" "$library" "$by_plain" "$by_library"
  done
done <<<"$cases"
