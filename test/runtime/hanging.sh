#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# MPI hangs after a failure, by an MPI that is linked in between (hanging.c): the job ends all the same, with one
# message.
# usage: hanging.sh BUILD-DIRECTORY. Prints PASS, FAIL or SKIP lines.
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
failed=0

# What hangs, and what a rank says of it.
declare -A says=(
  [word]="rank 0: words to other hosts do not leave; the job is ended: .*x is negative"
  [abort]="rank 1: others could not be told .*; the job is ended: .*x is negative"
  [end]="'the end of the context' on rank 1 has waited .*: rank 0 has not come")

# FLAVOUR WHAT
start() {
  TESSERA_MPI_HOST=$([ "$2" = word ] && echo 1) TESSERA_TIMEOUT=6 timeout -k 5 90 "mpirun.$1" -n 2 \
    "$build/test/runtime/runtime-hanging-$1" "$2" >"$work/log.$1.$2" 2>&1
  echo $? >"$work/status.$1.$2"
}

flavours=()
for mpi in openmpi mpich; do
  if command -v "mpirun.$mpi" >/dev/null && [ -e "$build/lib/libtessera_mpi_$mpi.so" ]; then
    flavours+=("$mpi")
  else
    echo "SKIP MPI hangs after a failure, $mpi: it or its backend is missing"
  fi
done
for mpi in "${flavours[@]}"; do
  for what in "${!says[@]}"; do
    start "$mpi" "$what" & # all at once, for they only wait
  done
done
wait
for mpi in "${flavours[@]}"; do
  for what in "${!says[@]}"; do
    name="MPI hangs after a failure, $what, $([ "$mpi" = mpich ] && echo MPICH || echo Open MPI)"
    status=$(cat "$work/status.$mpi.$what")
    if [ "$status" -ne 0 ] && [ "$status" -ne 124 ] &&
      [ "$(grep -c -- "error: ${says[$what]}" "$work/log.$mpi.$what")" -eq 1 ]; then
      echo "PASS $name"
    else
      echo "FAIL $name: it ended with $status"
      head -c 4000 "$work/log.$mpi.$what"
      failed=1
    fi
  done
done
exit $failed
