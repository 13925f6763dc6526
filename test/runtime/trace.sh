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
/usr/bin/python3 -c '
import numpy as np
for name, shape in ("x", (64, 256)), ("v", (256, 1024)), ("w", (1024, 256)):
    np.save(name + ".npy", np.ones(shape, np.float32))' || exit 1
command=("$build/bin/tessera-run" mlp.so --input x.npy v.npy w.npy --traffic)

# NAME COMMAND...: the four ranks' trace and statistics are right.
check_trace() {
  local name=$1
  shift
  rm -f trace.json
  if TESSERA_TRACE=$work/trace.json TESSERA_STATS=1 timeout 120 "$@" "${command[@]}" >out 2>err &&
    /usr/bin/python3 "$here/trace.py" trace.json out err >log 2>&1; then
    echo "PASS trace, $name"
  else
    echo "FAIL trace, $name"
    cat out err log
    failed=1
  fi
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

check_arrows threads 3
check_trace threads
command -v mpirun.openmpi >/dev/null && [ -e "$build/lib/libtessera_mpi_openmpi.so" ] &&
  check_trace "Open MPI" mpirun.openmpi -n 4 && check_arrows "Open MPI" 4 mpirun.openmpi -n 4
command -v mpirun.mpich >/dev/null && [ -e "$build/lib/libtessera_mpi_mpich.so" ] &&
  check_trace MPICH mpirun.mpich -n 4 && check_arrows MPICH 3 mpirun.mpich -n 3

# Nothing is written that nobody asked for, and a failure to write is no failure of the program.
if env -u TESSERA_TRACE "${command[@]}" >out 2>err && [ ! -s err ] && [ -z "$(ls ./*.tmp* 2>/dev/null)" ] &&
  TESSERA_TRACE=/nowhere/trace.json "${command[@]}" >out 2>err && grep -q "cannot write the trace" err; then
  echo "PASS trace that cannot be written"
else
  echo "FAIL trace that cannot be written"
  cat out err
  failed=1
fi
exit $failed
