#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# MPI hangs after a failure, by an MPI that is linked in between (hanging.c): the job ends all the same, with one
# message.
# usage: hanging.sh BUILD-DIRECTORY. Prints PASS, FAIL or SKIP lines.
source "$(dirname "${BASH_SOURCE[0]}")/jobs.sh"

# What hangs, and what a rank says of it.
declare -A says=(
  [word]="rank 0: words to other hosts do not leave; the job is ended: .*x is negative"
  [abort]="rank 1: others could not be told .*; the job is ended: .*x is negative"
  [begin]="rank 0: others could not be told .*; the job is ended: .*comparing collectives failed"
  [stuck]="'reduce' on rank 0 .* has waited .*: rank 1 has not come"
  [end]="'the end of the context' on rank 1 has waited .*: rank 0 has not come")

# FLAVOUR WHAT
start() {
  local ranks=2
  [ "$2" = begin ] && ranks=4
  [ "$2" = stuck ] && export TESSERA_MPI_COLLECTIVES=native
  # What ranks write goes to a file and not through the launcher, which may lose the last of it.
  TESSERA_MPI_HOST=$([ "$2" = word ] && echo 1) TESSERA_TIMEOUT=6 timeout -k 5 90 "mpirun.$1" -n $ranks \
    bash -c "exec $build/test/runtime/runtime-hanging-$1 $2 2>>$work/log.$1.$2" >>"$work/log.$1.$2" 2>&1
  echo $? >"$work/status.$1.$2"
}

found_mpis "MPI hangs after a failure"
for mpi in "${mpis[@]}"; do
  for what in "${!says[@]}"; do
    start "$mpi" "$what" & # all at once, for they only wait
  done
done
wait
for mpi in "${mpis[@]}"; do
  for what in "${!says[@]}"; do
    name="MPI hangs after a failure, $what, $([ "$mpi" = mpich ] && echo MPICH || echo Open MPI)"
    status=$(cat "$work/status.$mpi.$what")
    if [ "$status" -ne 0 ] && [ "$status" -ne 124 ] &&
      ! grep -q "exited on signal 11\|EXIT STRING: Segm\|Sanitizer" "$work/log.$mpi.$what" &&
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
