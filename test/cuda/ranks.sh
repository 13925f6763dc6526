#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Ranks in several processes, each with a GPU, on the driver and the NCCL of this folder.
# usage: ranks.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines, exits 1 after a FAIL.
build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
standin=$build/test/cuda tests=$build/test/runtime
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

export TESSERA_CUBLASLT=none TESSERA_BLAS=none STANDIN_GPUS=8 TMPDIR=$work
export LD_LIBRARY_PATH=$standin
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
# What MPI keeps until the end of the process is no leak of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# NAME PATTERN STATUS COMMAND...: ends in time with this status and says this.
expect() {
  local name=$1 pattern=$2 status=$3
  shift 3
  timeout 300 "$@" >"$work/log" 2>&1
  if [ $? -eq "$status" ] && { [ -z "$pattern" ] || grep -q -- "$pattern" "$work/log"; }; then
    echo "PASS $name"
  else
    echo "FAIL $name"
    head -c 4000 "$work/log"
    failed=1
  fi
}

check() {
  local name=$1
  shift
  expect "$name" "" 0 "$@"
}

# Without MPI.
processes=$here/../runtime/processes.sh
check "NCCL, sums, by torchrun's variables" env TESSERA_DEVICE=cuda "$processes" torchrun 4 \
  "$standin/cuda-ranks" sums
check "NCCL, sums, one rank that asks for it" env TESSERA_DEVICE=cuda TESSERA_BACKEND=nccl \
  "$processes" torchrun 1 "$standin/cuda-ranks" sums
check "NCCL, sums, by Slurm's variables" env TESSERA_DEVICE=cuda TESSERA_BACKEND=nccl \
  "$processes" slurm 2 "$standin/cuda-ranks" sums
check "NCCL, collectives, by torchrun's variables" env TESSERA_DEVICE=cuda "$processes" torchrun 2 \
  "$tests/runtime-collectives" sample 60 small
check "NCCL, no wait of the host or of a stream is in vain" env TESSERA_DEVICE=cuda \
  "$standin/cuda-order-ranks"
mkdir "$work/meeting"
check "NCCL, a rendezvous" env TESSERA_DEVICE=cuda "$processes" numbered 2 \
  "$tests/runtime-bootstrap" "$work/meeting" nccl
expect "NCCL, a rank fails, by torchrun's variables" \
  "another rank failed: s.mlir:4:1: error: 'cf.assert' on rank 1: x is negative" 0 \
  env TESSERA_DEVICE=cuda "$processes" torchrun 3 "$standin/cuda-ranks" asserts

if ! command -v mpirun.openmpi >/dev/null || [ ! -e "$build/lib/libtessera_mpi_openmpi.so" ]; then
  echo "SKIP ranks with NCCL and Open MPI: it or its backend is missing"
  exit 0
fi

for ranks in 1 2 3 4; do
  check "NCCL, sums, $ranks ranks" env TESSERA_DEVICE=cuda mpirun.openmpi -n $ranks \
    "$standin/cuda-ranks" sums
done
if command -v mpirun.mpich >/dev/null && [ -e "$build/lib/libtessera_mpi_mpich.so" ]; then
  check "NCCL, sums, MPICH" env TESSERA_DEVICE=cuda mpirun.mpich -n 2 "$standin/cuda-ranks" sums
fi
for what in "2 sample 4 small" "4 sample 12 small" "3 random 30 1" "2 several 12 1 5" "4 several 12 2 5"; do
  # shellcheck disable=SC2086 # a number of ranks, a mode and its numbers
  set -- $what
  check "NCCL, collectives, ranks and cases: $what" env TESSERA_DEVICE=cuda STANDIN_SEED=$1 \
    mpirun.openmpi -n "$1" "$tests/runtime-collectives" "${@:2}"
done
check "NCCL, same bits" env TESSERA_DEVICE=cuda TESSERA_DETERMINISTIC=1 mpirun.openmpi -n 2 \
  "$tests/runtime-collectives" sample 60 small
check "NCCL, sends" env TESSERA_DEVICE=cuda mpirun.openmpi -n 3 "$tests/runtime-point"
check "NCCL, exchange" env TESSERA_DEVICE=cuda mpirun.openmpi -n 4 "$tests/runtime-exchange" 60

# VARIABLES|WORDS: what fails says so on every rank, and the others know why.
for row in "STANDIN_NCCL=error:1:5|the connection to a rank is lost" \
  "STANDIN_NCCL=memory:1:5|out of memory on the GPU" \
  "STANDIN_NCCL=memory:1:0|ncclCommInitRankConfig failed: .*out of memory on the GPU" \
  "TESSERA_TIMEOUT=3 STANDIN_NCCL=stuck:1:5|has waited for 3 s in 'reduce' at s.mlir:1:1" \
  "STANDIN_GPUS=1|there are 2 ranks on this host and 1 GPU that they may use" \
  "TESSERA_DEVICES=3|there are 2 ranks on this host and 1 GPU that they may use" \
  "STANDIN_NCCL_VERSION=21703|libnccl.so.2 is too old: NCCL 2.18 or later is needed" \
  "TESSERA_NCCL=$work/none.so|NCCL, which is not found here" \
  "TESSERA_BACKEND=mpi|moves memory of the host only, and the device is 'cuda'"; do
  words=${row#*|}
  # shellcheck disable=SC2086 # assignments
  expect "NCCL, a message: $words" "$words" 0 env TESSERA_DEVICE=cuda ${row%%|*} \
    mpirun.openmpi -n 2 "$standin/cuda-ranks" fails "${words##*.\*}"
done
expect "NCCL, a rank fails while the others wait for their devices" \
  "another rank failed: s.mlir:4:1: error: 'cf.assert' on rank 1: x is negative" 0 \
  env TESSERA_DEVICE=cuda mpirun.openmpi -n 3 "$standin/cuda-ranks" asserts

# Whole programs, with the tools.
program=$here/../corpus
export TESSERA_CUBLASLT=$standin/libcublasLt.so
for file in softmax annotation-halos reduce-max-min-nan mlp-megatron types-integers; do
  expect "NCCL, $file" "agree" 0 "$build/bin/tessera-check" "$program/$file.mlir" --mpi --target cuda
done
expect "NCCL, a communicator that cannot be split" "ncclCommSplit failed: .*out of memory" 1 \
  env STANDIN_NCCL=split:1:1 "$build/bin/tessera-check" "$program/softmax.mlir" --mpi --target cuda
# The same numbers as on a CPU, whose sums have another order.
for target in cpu cuda; do
  check "NCCL, mlp-megatron for $target" "$build/bin/tesserac" "$program/mlp-megatron.mlir" \
    --target=$target -o "$work/$target.so"
done
/usr/bin/python3 - "$work" <<'EOF'
import sys, numpy
numbers = numpy.random.default_rng(1)
for name, shape in (("x", (12, 16)), ("v", (16, 24)), ("w", (24, 8))):
    numpy.save(f"{sys.argv[1]}/{name}.npy", numbers.standard_normal(shape, dtype=numpy.float32))
EOF
for target in cpu cuda; do
  expect "NCCL, tessera-run on $target" "all_reduce" 0 mpirun.openmpi -n 4 "$build/bin/tessera-run" \
    "$work/$target.so" --input "$work"/{x,v,w}.npy --output "$work/$target.npy" --traffic --repeat 2
done
expect "NCCL, statistics and a trace of all ranks" "all_reduce" 0 env TESSERA_STATS=1 \
  TESSERA_TRACE="$work/trace.json" mpirun.openmpi -n 4 "$build/bin/tessera-run" "$work/cuda.so" \
  --input "$work"/{x,v,w}.npy
check "NCCL, the trace is there" test -s "$work/trace.json"
check "NCCL, tessera-run, the same numbers" /usr/bin/python3 -c "
import sys, numpy
one, other = (numpy.load(f'{sys.argv[1]}/{name}.npy') for name in ('cpu', 'cuda'))
sys.exit(not numpy.allclose(one, other, rtol=1e-5, atol=1e-5))" "$work"
exit $failed
