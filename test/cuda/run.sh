#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Runs the device for NVIDIA GPUs without one: on a driver that keeps memory from the host, does work
# late and in an order that a seed says, and runs the kernels' PTX instruction by instruction.
# usage: run.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines, exits 1 after a FAIL.
build=$(cd "$1" && pwd) || exit 1
standin=$build/test/cuda tests=$build/test/runtime
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

if [ ! -e "$standin/libcuda.so.1" ]; then
  echo "SKIP cuda: the device is not built, for want of clang-22"
  exit 0
fi
# Interpreted kernels are slow: tests of the host's memory for products are left out.
export TESSERA_CUBLASLT=none TESSERA_BLAS=none
unset TESSERA_DEVICE TESSERA_DEVICES

# NAME COMMAND...: a test that must exit 0 in time, with the driver of this folder.
check() {
  local name=$1
  shift
  if timeout 300 env LD_LIBRARY_PATH="$standin" "$@" >"$work/log" 2>&1; then
    echo "PASS $name"
  else
    echo "FAIL $name"
    head -c 4000 "$work/log"
    failed=1
  fi
}

for seed in 1 2 3; do
  check "launches, constants, copies and streams, seed $seed" \
    env STANDIN_GPUS=2 STANDIN_SEED=$seed "$standin/cuda-program"
done
check "ranks share the GPUs that are listed" \
  env STANDIN_GPUS=3 TESSERA_DEVICES=2,0 "$standin/cuda-program"

# VARIABLE=VALUE WORDS: what fails says so.
for row in "STANDIN_FAIL=launch:3|the last launch before it was p.mlir:3:5: 'linalg.generic'" \
  "STANDIN_FAIL=memory:5+|no memory for a tensor of 256 bytes" \
  "STANDIN_GPUS=0|no GPU that this process may use" \
  "STANDIN_VERSION=11010|11.2 or later is needed" \
  "TESSERA_DEVICES=0,9|expected numbers of GPUs, 0 to 0" \
  "TESSERA_DEVICE=host|the context's device is 'host', as TESSERA_DEVICE says" \
  "LD_LIBRARY_PATH=$work|there is no driver here"; do
  check "a message: ${row#*|}" env "${row%%|*}" "$standin/cuda-program" fails "${row#*|}"
done

export TESSERA_DEVICE=cuda STANDIN_GPUS=2
check "every type of a product, by kernels" env TESSERA_CUBLASLT=none "$tests/runtime-gemm"
check "products by cuBLASLt" env TESSERA_CUBLASLT="$standin/libcublasLt.so" \
  STANDIN_PRODUCTS="$work/products" "$tests/runtime-gemm"
check "cuBLASLt was asked" grep -q product "$work/products"
check "and to add what follows" grep -q 'residual bias$' "$work/products"
for activation in relu gelu; do
  check "and for $activation of a product" grep -q "compute 68 $activation" "$work/products"
  check "and of what is added to it" grep -q "residual bias $activation" "$work/products"
done
mkdir -p "$work/venv/lib/python3.11/site-packages/nvidia/cublas/lib"
ln -s "$standin/libcublasLt.so" "$work/venv/lib/python3.11/site-packages/nvidia/cublas/lib/libcublasLt.so.12"
mkdir "$work/driver"
ln -s "$standin/libcuda.so.1" "$work/driver/libcuda.so.1"
check "products by a cuBLASLt of Python's" env -u TESSERA_CUBLASLT LD_LIBRARY_PATH="$work/driver" \
  VIRTUAL_ENV="$work/venv" STANDIN_PRODUCTS="$work/wheels" "$tests/runtime-gemm" f32
check "it was asked" grep -q product "$work/wheels"
# Where CUDA is installed there is one.
ldconfig -p | grep -q libcublasLt || check "a message: no cuBLASLt is found" bash -c "env -u TESSERA_CUBLASLT LD_LIBRARY_PATH='$work/driver' HOME=/none \
  '$tests/runtime-gemm' f32 2>&1 | grep -q 'warning: products on the GPU are slow, for no cuBLASLt'"
check "a message: a cuBLASLt that is none" bash -c "TESSERA_CUBLASLT=/none.so '$tests/runtime-gemm' f32 2>&1 |
  grep -q \"TESSERA_CUBLASLT is '/none.so', which cannot be used for products: /none.so: cannot open\""
check "nothing in TF32 of itself" bash -c "! grep -q 'compute 77' '$work/products'"
check "products in TF32" env TESSERA_CUBLASLT="$standin/libcublasLt.so" TESSERA_TF32=1 \
  STANDIN_PRODUCTS="$work/tf32" "$tests/runtime-gemm" f32
check "they were" grep -q 'compute 77' "$work/tf32"
check "convolutions by kernels" "$tests/runtime-conv" 17
check "convolutions as products" env TESSERA_CUBLASLT="$standin/libcublasLt.so" \
  STANDIN_PRODUCTS="$work/convolutions" "$tests/runtime-conv" 5
check "they were" grep -q product "$work/convolutions"
check "point" "$tests/runtime-point"
check "exchange" "$tests/runtime-exchange" 600
for seed in 1 2; do
  check "collectives, seed $seed" env STANDIN_SEED=$seed "$tests/runtime-collectives" random 6 $seed
  check "several collectives at once, seed $seed" env STANDIN_SEED=$seed \
    "$tests/runtime-collectives" several 5 $seed 2
done
check "no wait of the host or of a stream is in vain" env -u TESSERA_DEVICE "$standin/cuda-order"
unset TESSERA_DEVICE
"$(dirname "$0")/ranks.sh" "$build" || failed=1
unset TESSERA_DEVICE STANDIN_GPUS TESSERA_CUBLASLT
if [ -x "$build/bench/gpu-check" ]; then
  mkdir "$work/also"
  cp "$(dirname "$0")/../corpus/softmax.mlir" "$work/also/mine.mlir"
  check "bench/gpu is packed" "$(dirname "$0")/../../bench/gpu/pack.sh" "$work/packed" "$build" --small \
    --also "$work/also"
  check "bench/gpu runs without a compiler" env GPU_BENCH_SECONDS=0.02 GPU_BENCH_JOBS=2 \
    GPU_BENCH_BYTES=65536 \
    TESSERA_CUBLASLT="$standin/libcublasLt.so" "$work/packed/run.sh"
  check "programs of others are there" grep -q '^also_mine' "$work/packed/programs/list"
  check "its table is whole" grep -qE '^block +[0-9.]+ TFLOPS' "$work/packed/results.txt"
  check "NCCL in a group of one" grep -qE '^nccl_reduce +[0-9.]+ GB/s' "$work/packed/results.txt"
else
  echo "SKIP bench/gpu: the compiler is not built"
fi
exit $failed
