#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What pack.sh has packed, on this machine's GPU: programs on one GPU as local ranks against the CPU's
# numbers, then times beside copies of the driver, cuBLASLt called directly, and PyTorch where it is.
# Needs no network, no compiler, and less than eight minutes. Exit status 1 where a result is wrong.
#
# usage: FOLDER/run.sh [RESULTS-FILE]   (default: FOLDER/results.txt)
#   GPU_BENCH_JOBS      programs that are checked at a time (default: cores, at most 8)
#   GPU_BENCH_SECONDS   that each measurement takes (default 2)
#   GPU_BENCH_BYTES     of a collective of NCCL in a group of one (default: 256 MiB)
set -uo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
results=${1:-$folder/results.txt}
cores=$(nproc)
jobs=${GPU_BENCH_JOBS:-$((cores < 8 ? cores : 8))}
export LD_LIBRARY_PATH=$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# One cuBLASLt for both sides: CUDA's, or that of PyTorch's wheels. NCCL likewise.
wheels=$(python3 -c 'import nvidia; print(list(nvidia.__path__)[0])' 2>/dev/null)
if [[ -z ${TESSERA_NCCL:-} && -e ${wheels:-/none}/nccl/lib/libnccl.so.2 ]] &&
  ! ldconfig -p 2>/dev/null | grep -q 'libnccl\.so\.2'; then
  export TESSERA_NCCL=$wheels/nccl/lib/libnccl.so.2
fi
if [[ -z ${TESSERA_CUBLASLT:-} ]]; then
  for library in /usr/local/cuda/lib64/libcublasLt.so.1? "${wheels:-/none}"/{cublas,cu13,cu12}/lib/libcublasLt.so.1?; do
    [[ -e $library && -z ${TESSERA_CUBLASLT:-} ]] && export TESSERA_CUBLASLT=$library
  done
fi
export TESSERA_PACKED=$folder/programs folder
export logs=$folder/logs deadline=$(($(date +%s) + 240))
mkdir -p "$logs"

# one NAME OPTION...: a line PASS, FAIL or LEFT.
one() {
  local name=$1
  shift
  if (($(date +%s) >= deadline)); then
    echo "LEFT $name"
  elif timeout --kill-after=5 60 "$folder/bin/gpu-check" "$name.mlir" --target=cuda "$@" \
    >"$logs/$name" 2>&1 </dev/null; then
    echo "PASS $name"
    rm -f "$logs/$name"
  else
    echo "FAIL $name: $(grep -m1 -E 'error|differ' "$logs/$name" | cut -c1-200)"
  fi
}
export -f one

# hardware NAME COMMAND...: a test of the runtime on the GPU: a line PASS or FAIL.
hardware() {
  local name=$1
  shift
  if TESSERA_DEVICE=cuda timeout --kill-after=5 60 "$@" >"$logs/$name" 2>&1 </dev/null; then
    echo "PASS $name"
  else
    echo "FAIL $name: $(grep -v '^$' "$logs/$name" | tail -1 | cut -c1-200)"
  fi
}

# Every kind of product, convolution, collective, type and reduction.
hardware_all() {
  local tests=$folder/bin
  # As torchrun would start the only process.
  local alone=(env RANK=0 WORLD_SIZE=1 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 MASTER_ADDR=localhost
    MASTER_PORT=$((20000 + RANDOM % 10000)) TESSERA_BACKEND=nccl)
  [[ -x $tests/runtime-gemm ]] || return 0
  hardware products "$tests/runtime-gemm" 1 &
  hardware products_by_kernels env TESSERA_CUBLASLT=none "$tests/runtime-gemm" 1 &
  hardware convolutions "$tests/runtime-conv" 3 &
  hardware point "$tests/runtime-point" &
  hardware exchange "$tests/runtime-exchange" 600 &
  hardware collectives "$tests/runtime-collectives" random 12 1 &
  hardware collectives_at_once "$tests/runtime-collectives" several 8 1 2 &
  wait
  hardware nccl_sums "${alone[@]}" "$tests/cuda-ranks" sums
  hardware nccl_collectives "${alone[@]}" "$tests/runtime-collectives" sample 200 small
}

{
  echo "machine: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null |
    head -1 || echo 'no nvidia-smi') $(date -u +%F)"
  hardware_all
  # A word of the list is an argument.
  # shellcheck disable=SC2016
  xargs -P "$jobs" -L1 bash -c 'one "$@"' _ <"$folder/programs/list" >"$logs/lines"
  grep -v '^PASS' "$logs/lines" | sort
  echo "programs: $(grep -c ^PASS "$logs/lines") as on the CPU," \
    "$(grep -c ^FAIL "$logs/lines") not, $(grep -c ^LEFT "$logs/lines") left out for lack of time"
  timeout --kill-after=5 150 "$folder/bin/gpu-bench" "$folder" 2>&1 || echo "FAIL gpu-bench"
  timeout --kill-after=5 100 python3 -B "$folder/torch_block.py" "$folder/bench" block block_large \
    2>/dev/null || echo "torch                        skipped"
} | tee "$results"
! grep -q '^FAIL' "$results"
