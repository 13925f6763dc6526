#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Traces keep to the format, and their bytes are those of --traffic; statistics have the same calls; both
# on threads and under MPI. usage: trace.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export ASAN_OPTIONS=detect_leaks=0
cd "$work" || exit 1
failed=0
"$build/bin/tesserac" "$here/../../examples/mlp/mlp.mlir" -o mlp.so || exit 1
"$build/bin/tesserac" "$here/../../examples/digits/train_step.mlir" -o digits.so || exit 1
/usr/bin/python3 -c '
import os
import numpy as np
def save(folder, *arrays):
    os.mkdir(folder)
    for i, array in enumerate(arrays):
        np.save(f"{folder}/{i}.npy", array)
def ones(*shape):
    return np.ones(shape, np.float32)
save("mlp", ones(64, 256), ones(256, 1024), ones(1024, 256))
save("digits", ones(48, 64), np.zeros(48, np.int32), ones(64, 128), ones(128), ones(128, 10), ones(10), ones())' || exit 1
programs=("mlp.so --input mlp" "digits.so --entry train_step --input digits")

# NAME COMMAND...: the four ranks' traces and statistics are right, of each program.
check_trace() {
  local name=$1 program
  shift
  for program in "${programs[@]}"; do
    rm -f trace.json
    # shellcheck disable=SC2086 # a program and its arguments
    if TESSERA_TRACE=$work/trace.json TESSERA_STATS=1 timeout 120 "$@" "$build/bin/tessera-run" $program --traffic \
      >out 2>err && /usr/bin/python3 "$here/trace.py" trace.json out err >log 2>&1; then
      echo "PASS trace of ${program%%.*}, $name"
    else
      echo "FAIL trace of ${program%%.*}, $name"
      cat out err log
      failed=1
    fi
  done
}

# NAME RANKS COMMAND...: an arrow for each message of a program that sends in a ring.
check_arrows() {
  local name=$1 ranks=$2
  shift 2
  rm -f trace.json
  if TESSERA_TRACE=$work/trace.json timeout 120 "$@" "$build/test/runtime/runtime-faults" recv none 20 >out 2>err &&
    /usr/bin/python3 "$here/trace.py" trace.json --arrows "$ranks" 21 >log 2>&1; then
    echo "PASS arrows of sends, $name"
  else
    echo "FAIL arrows of sends, $name"
    cat out err log
    failed=1
  fi
}

# NAME RANKS COMMAND...: the trace is JSON, whatever places are called, and knows groups of many dimensions.
check_odd_places() {
  local name=$1 ranks=$2
  shift 2
  rm -f trace.json
  if TESSERA_TRACE=$work/trace.json timeout 120 "$@" "$build/test/runtime/runtime-odd-places" >out 2>err &&
    /usr/bin/python3 "$here/trace.py" trace.json --odd-places "$ranks" >log 2>&1; then
    echo "PASS trace of odd places, $name"
  else
    echo "FAIL trace of odd places, $name"
    cat out err log
    failed=1
  fi
}

check_arrows threads 3
check_trace threads
check_odd_places threads 3
command -v mpirun.openmpi >/dev/null && [ -e "$build/lib/libtessera_mpi_openmpi.so" ] &&
  check_trace "Open MPI" mpirun.openmpi -n 4 && check_arrows "Open MPI" 4 mpirun.openmpi -n 4 &&
  check_odd_places "Open MPI" 2 mpirun.openmpi -n 2
command -v mpirun.mpich >/dev/null && [ -e "$build/lib/libtessera_mpi_mpich.so" ] &&
  check_trace MPICH mpirun.mpich -n 4 && check_arrows MPICH 3 mpirun.mpich -n 3

# Numbers stand below each other, however long places are: where the head of a column ends, so does each number.
if TESSERA_STATS=1 "$build/test/runtime/runtime-places" >out 2>err && awk '
    / calls +bytes / { end = match($0, / calls /) + 5; next }
    end && (substr($0, end, 1) !~ /[0-9]/ || substr($0, end + 1, 1) != " ") { wrong = 1 }
    END { exit wrong || !end || NR < 6 }' err; then
  echo "PASS columns of statistics"
else
  echo "FAIL columns of statistics"
  cat out err
  failed=1
fi

# Nothing is written that nobody asked for, and a failure to write is no failure of the program.
command=("$build/bin/tessera-run" mlp.so --input mlp)
if env -u TESSERA_TRACE "${command[@]}" >out 2>err && [ ! -s err ] && [ -z "$(ls ./*.tmp* 2>/dev/null)" ] &&
  TESSERA_TRACE=/nowhere/trace.json "${command[@]}" >out 2>err && grep -q "cannot write the trace" err; then
  echo "PASS trace that cannot be written"
else
  echo "FAIL trace that cannot be written"
  cat out err
  failed=1
fi
exit $failed
