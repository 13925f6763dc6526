#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiled sums and maxima of large tensors, along columns and to a scalar, beside plain loops in C on one core
# (cc -O3 -march=native): times in turn, and how far sums are off, relative to the largest.
# usage: bench/sums.sh [BUILD] [--rounds N] [--only REGEX]; ours takes one core, then all, or as many as TESSERA_THREADS says.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build rounds=21 only=.
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

# What is combined is the middle of three dimensions, which is all there is where the others are 1.
# kind, type of the input, of the result, three dimensions
cases='
sum f32 f32 1 1000000 8
sum f32 f32 1 1000000 1
sum f32 f32 1 65536 64
sum f32 f32 1 8192 1024
sum f32 f32 1 2048 2048
sum f64 f64 1 1000000 8
sum f64 f64 1 2048 2048
sum bf16 f32 1 1000000 8
sum bf16 f32 1 8192 1024
sum f32 f32 64 512 512
products f32 f32 1 1000000 8
products f32 f32 1 8192 1024
max f32 f32 1 1000000 8
max f32 f32 1 8192 1024
min f32 f32 1 65536 64
sum f32 f32 0 8388608 0
products f32 f32 0 8388608 0
max f32 f32 0 8388608 0
sum f64 f64 0 4194304 0
'

# program KIND TYPE RESULT OUTER ROWS COLUMNS: linalg; dimensions of 0 are left out.
program() {
  local kind=$1 type=$2 result=$3 outer=$4 rows=$5 columns=$6
  local loops=r in=${rows}x out='' of='' iterators='"reduction"' combine start
  ((columns == 0)) || { loops=$loops,\ c in=$in${columns}x out=${columns}x of=c iterators=$iterators,\ '"parallel"'; }
  ((outer < 2)) || { loops=o,\ $loops in=${outer}x$in out=${outer}x$out of=o,\ $of iterators='"parallel"',\ $iterators; }
  case $kind in
    max) combine=arith.maximumf start=0xFF800000 ;;
    min) combine=arith.minimumf start=0x7F800000 ;;
    *) combine=arith.addf start=0.0 ;;
  esac
  local map="affine_map<($loops) -> ($loops)>" extend='' value=%a
  [[ $type == "$result" ]] || { extend="%w = arith.extf %a : $type to $result"; value=%w; }
  [[ $kind != products ]] || { extend="%w = arith.mulf %a, %b : $type"; value=%w; }
  cat <<END
func.func @main(%x: tensor<$in$type>, %y: tensor<$in$type>) -> tensor<$out$result> {
  %start = arith.constant $start : $result
  %e = tensor.empty() : tensor<$out$result>
  %f = linalg.fill ins(%start : $result) outs(%e : tensor<$out$result>) -> tensor<$out$result>
  %s = linalg.generic {indexing_maps = [$map, $map, affine_map<($loops) -> ($of)>], iterator_types = [$iterators]}
      ins(%x, %y : tensor<$in$type>, tensor<$in$type>) outs(%f : tensor<$out$result>) {
  ^bb0(%a: $type, %b: $type, %o: $result):
    $extend
    %n = $combine %o, $value : $result
    linalg.yield %n : $result
  } -> tensor<$out$result>
  return %s : tensor<$out$result>
}
END
}

printf '%-34s %9s %9s %7s %9s %7s %9s\n' '' 'C ms' 'one core' 'ratio' 'all' 'ratio' 'error'
while read -r kind type result outer rows columns; do
  [[ -n $kind && "$kind $type $outer $rows $columns" =~ $only ]] || continue
  program "$kind" "$type" "$result" "$outer" "$rows" "$columns" >"$work/sum.mlir"
  "$build/bin/tesserac" "$work/sum.mlir" -o "$work/sum.so"
  "${CC:-cc}" -O3 -march=native -std=gnu17 -Wall -Wextra -I"$root/include" -DKIND="KIND_$kind" -DTYPE="TYPE_$type" \
    -DOUTER=$((outer > 1 ? outer : 1)) -DROWS="$rows" -DCOLUMNS=$((columns > 1 ? columns : 1)) \
    "$root/bench/sums.c" -o "$work/sums" -L"$build/lib" -ltessera -lm -Wl,-rpath,"$build/lib"
  name="$kind $type ${outer}x${rows}x$columns"
  read -r plain one ratio error <<<"$(TESSERA_THREADS=1 "$work/sums" "$work/sum.so" "$rounds")"
  read -r _ all faster _ <<<"$("$work/sums" "$work/sum.so" "$rounds")"
  printf '%-34s %9s %9s %7s %9s %7s %9s\n' "$name" "$plain" "$one" "$ratio" "$all" "$faster" "$error"
done <<<"$cases"
