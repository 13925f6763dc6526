#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Packs what run.sh needs on a machine with a GPU and without a compiler: the runtime, programs of the
# corpus, the examples and at random, each for the GPU and for one CPU, and the programs that are timed.
#
# usage: bench/gpu/pack.sh FOLDER [BUILD] [--small] [--also PROGRAMS]...
#   --small           a few programs, small sizes: for a driver without a GPU
#   --also PROGRAMS   annotated programs of this folder too (NAME.mlir)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/common.sh"

size=full stride=1 seeds=60 words=() also=()
most=60 # MB, which are copied to where the GPU is
while (($#)); do
  case $1 in
    --small) size=small stride=40 seeds=2 ;;
    --also)
      [[ -d ${2:-} ]] || die "--also takes a folder of programs"
      also+=("$(cd "$2" && pwd)")
      shift ;;
    -*) die "unknown option $1" ;;
    *) words+=("$1") ;;
  esac
  shift
done
folder=${words[0]:?usage: bench/gpu/pack.sh FOLDER [BUILD] [--small] [--also PROGRAMS]...}
build=$(cd "${words[1]:-$root/build}" && pwd)
[[ -x $build/bench/gpu-check ]] || die "no $build/bench/gpu-check: scripts/build.sh makes it"
[[ -e $build/lib/libtessera_device_cuda.so ]] || die "the device cuda is not built, for want of clang-22"
[[ ! -e $folder ]] || die "$folder is there already"
mkdir -p "$folder"/{lib,bin,programs,bench}
folder=$(cd "$folder" && pwd)
work=$scratch/pack
mkdir "$work"

cp -L "$build"/lib/libtessera.so.*.* "$build"/lib/libtessera_{device_cuda,nccl}.so "$folder/lib"
for library in "$folder"/lib/libtessera.so.*; do
  name=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
  [[ -z $name || $library == */$name ]] || mv "$library" "$folder/lib/$name"
done
cp "$build/bench/gpu-check" "$build/bench/gpu-bench" "$folder/bin"
[[ $size == small ]] ||
  cp "$build"/test/runtime/runtime-{gemm,conv,point,exchange,collectives} "$build/test/cuda/cuda-ranks" "$folder/bin"
cp "$here/run.sh" "$here/torch_block.py" "$folder"

# compile FILE OUTPUT OPTION...: for the GPU, or for any recent CPU.
compile() {
  timeout --kill-after=5 300 "$tesserac" "$1" -o "$2" --march=x86-64-v3 --no-cache "${@:3}"
}

# one FILE NAME: both programs, and a line with what tessera-check is told of it. The examples' others
# have no whole program to compare with, or several entries that need each other.
one() {
  local file=$1 name=$2 line entry=()
  case $file in
    */examples/feed-forward/* | */examples/stencil/heat.mlir | */examples/annotations/manual.mlir) return 0 ;;
  esac
  line=$(sed -n 's/^.*RUN-CHECK://p' "$file" | head -1 | sed -E 's/--grid [^ ]+//')
  [[ $file != */examples/digits/* ]] || line="$line --entry train_step"
  [[ $line =~ --entry[\ =]([^\ ]+) ]] && entry=(--entry "${BASH_REMATCH[1]}")
  if compile "$file" "$folder/programs/$name.so" --target=cuda "${entry[@]}" 2>"$work/$name.log" &&
    compile "$file" "$folder/programs/$name.oracle.so" --oracle "${entry[@]}" 2>>"$work/$name.log"; then
    # xargs takes a space at the end of a line for more to come.
    sed -E 's/ +/ /g; s/ $//' <<<"$name $line" >"$work/$name.line"
  else
    echo "not packed: $name: $(grep -m1 error "$work/$name.log" | cut -c1-200)" >&2
    rm -f "$folder/programs/$name.so"
  fi
}
export -f compile one
export folder work tesserac=$build/bin/tesserac

number=0
find "$root/test/corpus" "$root/examples" -name '*.mlir' | sort | while read -r file; do
  number=$((number + 1))
  ((number % stride == 1 || stride == 1)) || continue
  name=${file#"$root"/} name=${name%.mlir}
  printf '%s %s\n' "$file" "${name//\//_}"
done >"$work/files"
for other in "${also[@]}"; do
  find "$other" -maxdepth 1 -name '*.mlir' | sort | while read -r file; do
    printf '%s %s\n' "$file" "also_$(basename "$file" .mlir)"
  done
done >>"$work/files"
for seed in $(seq 1 "$seeds"); do
  python3 -B "$root/test/fuzz/gen.py" --seed "$seed" >"$work/random_$seed.mlir"
  printf '%s %s\n' "$work/random_$seed.mlir" "random_$seed" >>"$work/files"
done
# shellcheck disable=SC2016
xargs -P "$jobs" -L1 bash -c 'one "$1" "$2"' _ <"$work/files"
cat "$work"/*.line >"$folder/programs/list"

python3 -B "$here/programs.py" "$work" "$size"
for text in "$work"/*.shapes "$work"/*.sizes; do
  cp "$text" "$folder/bench"
done
for name in chain chain_bf16 rows softmax layer_norm pack launches16 launches80 matmul block block_large; do
  compile "$work/$name.mlir" "$folder/bench/$name.so" --target=cuda
done
size=$(du -sm "$folder" | cut -f1)
((size <= most)) || die "$folder has $size MB; at most $most are to be copied"
say "$(wc -l <"$folder/programs/list") programs, $size MB in $folder"
