#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Runs the runtime's tests: on threads, under each mpirun that is there, under valgrind if asked to.
# usage: run.sh BUILD-DIRECTORY [--valgrind]; prints PASS, FAIL or SKIP lines, exits 1 after a FAIL.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 1
tests=$build/test/runtime
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
failed=0
limit=300 # seconds for a test

# FLAVOUR: this MPI and its backend are here.
has_mpi() {
  command -v "mpirun.$1" >/dev/null && [ -e "$build/lib/libtessera_mpi_$1.so" ]
}

# NAME COMMAND...: a test that must exit 0 in time.
check() {
  local name=$1
  shift
  if timeout $limit "$@" >"$work/log" 2>&1; then
    echo "PASS $name"
  else
    echo "FAIL $name"
    head -c 4000 "$work/log"
    failed=1
  fi
}

# NAME PATTERN COMMAND...: must exit 1 in time with exactly one line that has the pattern.
check_fails() {
  local name=$1 pattern=$2
  shift 2
  timeout 120 "$@" >"$work/log" 2>&1
  if [ $? -eq 1 ] && [ "$(grep -c -- "$pattern" "$work/log")" -eq 1 ]; then
    echo "PASS $name"
  else
    echo "FAIL $name"
    head -c 4000 "$work/log"
    failed=1
  fi
}

# NAME PATTERN COMMAND...: must exit 1 in time; each rank may say it.
check_says() {
  local name=$1 pattern=$2
  shift 2
  timeout 120 "$@" >"$work/log" 2>&1
  if [ $? -eq 1 ] && grep -q -- "$pattern" "$work/log"; then
    echo "PASS $name"
  else
    echo "FAIL $name"
    head -c 4000 "$work/log"
    failed=1
  fi
}

# FUNCTION RANK: where this rank calls in this function of places.c, which has a line for each rank behind its buffers.
place_in() {
  local first
  first=$(grep -n "^static tessera_status $1(" "$here/places.c" | cut -d: -f1)
  echo "'[a-z_]*' at [^ ]*places.c:$((first + 2 + $2))"
}

# LAUNCHER-NAME COMMAND...: calls that people write by hand, of two ranks.
check_places() {
  local name=$1 at="'tessera_group_all_[a-z]*' at [^ ]*places.c:[0-9]*" what
  shift
  check "places, $name" "$@"
  check "places, each call compared, $name" env TESSERA_CHECK=1 "$@"
  for what in "reduction:rank [01] is in $at (\(sum\|max\) of f32.*rank [01] in $at (\(sum\|max\) of f32" \
    "place:rank [01] is in $at (sum of f32[^)]*), rank [01] in $at (f32" \
    "type:'tessera_group_receive' on rank 1 .*rank 0 sent 6 of i64, and rank 1 receives 12 of i32" \
    "named:on rank [01] (grid @mesh of ring, axes \[0\], ranks {0, 1})" \
    "unreceived:'tessera_group_send' at [^ ]*places.c:[0-9]*: rank 1 never received" \
    "length:'tessera_group_receive' on rank 1 .*rank 0 sent 6 of i64, and rank 1 receives 7 of i64" \
    "barrier:rank [01] i.* 'tessera_group_barrier' at [^ ]*places.c:[0-9]*\(,\|$\)" \
    "exchange:rank 0 has one of 12 elements in $(place_in exchange_more 0), rank 1 one of 14 elements in $(place_in exchange_more 1)" \
    "pipeline:stage 0 runs 3 microbatches by GPipe, stage 1 runs 4 by 1F1B"; do
    check_says "places, another ${what%%:*}, $name" "${what#*:}" env TESSERA_CHECK=1 "$@" "${what%%:*}"
  done
}

# NAME COMMAND...: members of another size inside MPI's own call, and of another type when calls are compared no more.
check_inside() {
  local name=$1
  shift
  check_says "places, another size inside MPI, $name" "ranks call with different sizes, which TESSERA_CHECK=1 tells" \
    env TESSERA_MPI_COLLECTIVES=native "$@" gather
  check_says "places, another type told at the end, $name" \
    "in the group of ranks {0, 1}: .*rank 0 is in 'tessera_group_all_gather' at .* (i64.*rank 1 in .* (f64" "$@" types
  check_says "places, another type told at the end, nobody watches, $name" \
    "in the group of ranks {0, 1}: .*rank 0 is in 'tessera_group_all_gather' at .* (i64.*rank 1 in .* (f64" \
    env TESSERA_TIMEOUT=0 "$@" types
}

check_ends() {
  local name=$1
  shift
  check_fails "$name" "d.mlir:4:2: error: 'gather' on rank" "$@"
}

# LAUNCHER-NAME COMMAND...: members whose calls differ are told so, by one message, in time.
check_differences() {
  local name=$1 ending
  shift
  for ending in "other-reduction:ranks call different collectives" \
    "longer-reduction:e.mlir:3:1: error: .*pieces do not fit" \
    "longer-broadcast:e.mlir:4:1: error: .*pieces do not fit" \
    "longer-shift:e.mlir:5:1: error: .*pieces do not fit" \
    "longer-gather:e.mlir:7:1: error: .*pieces do not fit" \
    "longer-transposition:e.mlir:8:1: error: .*pieces do not fit" \
    "soon-difference:e.mlir:6:1: error: .*ranks call different collectives" \
    "late-difference:different collectives" \
    "late-other-shift:different collectives"; do
    check_fails "${ending%%:*}, $name" "${ending#*:}" "$@" "${ending%%:*}"
  done
  check_late "$name" "$@"
}

# LAUNCHER-NAME COMMAND...: messages of another length, when calls are remembered.
check_late() {
  local name=$1 ending
  shift
  for ending in late-longer-shift:9 late-longer-halo:11 late-longer-exchange:12; do
    check_fails "${ending%:*}, $name" "e.mlir:${ending#*:}:1: error: .*pieces do not fit" \
      "$@" "${ending%:*}"
  done
}

# LAUNCHER-NAME COMMAND...: calls are compared on the way, and not only at the end; those that meet in shared
# memory at once.
check_on_the_way() {
  local name=$1 ending
  shift
  for ending in difference-before-128 difference-before-2048; do
    check_fails "$ending, $name" "e.mlir:6:1: error: .*ranks call different collectives: rank 0 is in 'reduce' at e.mlir:[0-9]*:1.*, rank 1 in" \
      env TESSERA_MPI_COLLECTIVES=messages "$@" "$ending"
  done
  check_fails "late-difference, at once, $name" "e.mlir:6:1: error: .*ranks call different collectives" \
    env TESSERA_MPI_COLLECTIVES=shared "$@" late-difference
}

# LAUNCHER-NAME COMMAND...: processes do not reach each other's memory, from the start, or from some call on.
check_reach() {
  local name=$1 barred=(env LD_PRELOAD="$tests/runtime-unreachable.so" TESSERA_MPI_COLLECTIVES=direct)
  shift
  check "collectives where memory is out of reach, $name" "${barred[@]}" "$@"
  check_fails "memory that is out of reach later, $name" \
    "error: '[a-z_]*' on rank [0-9] .*: rank [0-9] could not reach the memory of rank [0-9]" \
    "${barred[@]}" UNREACHABLE_AFTER=7 "$@"
  check_says "a rank is stopped while others use its memory, $name" "error: .*: rank 1 is stopped" \
    "${barred[@]}" UNREACHABLE_AFTER=7 UNREACHABLE_SIGNAL=19 TESSERA_TIMEOUT=3 "$@"
}

# LAUNCHER-NAME FLAVOUR RANKS: what fails in a program is a status on every rank, and all ends in time.
check_failures() {
  local name=$1 mpi=$2 ranks=$3 what
  for what in assertion no-memory large-messages started waited-for-twice never-waited-for \
    other-numbers other-calls; do
    check "failures, $what, $name, $ranks ranks" timeout 60 "mpirun.$mpi" -n "$ranks" \
      "$tests/runtime-failures" $what
  done
  check "failures, large-messages by messages, $name, $ranks ranks" \
    env TESSERA_MPI_COLLECTIVES=messages timeout 60 "mpirun.$mpi" -n "$ranks" \
    "$tests/runtime-failures" large-messages
  check "failures, after-many, $name, $ranks ranks" timeout 60 "mpirun.$mpi" -n "$ranks" \
    "$tests/runtime-failures" after-many
  check "failures over hosts, $name" env TESSERA_MPI_HOST=2 timeout 60 "mpirun.$mpi" -n 4 \
    "$tests/runtime-failures" after-many
  check_fails "failures inside MPI, $name, $ranks ranks" \
    "the job is ended: a.mlir:2:1: error: 'cf.assert' on rank 1: x is negative" \
    env TESSERA_MPI_COLLECTIVES=native timeout 60 "mpirun.$mpi" -n "$ranks" \
    "$tests/runtime-failures" inside-mpi
}

# LAUNCHER-NAME COMMAND...: the same where every call is compared before it begins.
check_compared() {
  local name=$1 ending
  shift
  for ending in late-difference:6 late-other-shift:10; do
    check_fails "${ending%:*}, every call compared, $name" \
      "e.mlir:${ending#*:}:1: error: .*ranks call different" \
      env TESSERA_CHECK=1 "$@" "${ending%:*}"
  done
  check_fails "late-longer-reduction, every call compared, $name" \
    "e.mlir:13:1: error: .*rank 0 has one of 5 elements in 'reduce' at e.mlir:13:1, rank 1 one of 4 elements" \
    env TESSERA_CHECK=yes "$@" late-longer-reduction
  check_late "every call compared, $name" env TESSERA_CHECK=1 "$@"
}

if [ "$2" = --valgrind ]; then
  limit=900
  vg=(valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
    --suppressions="$here/valgrind.supp")
  check "valgrind errors" "${vg[@]}" "$tests/runtime-errors"
  check "valgrind failures" "${vg[@]}" "$tests/runtime-failures"
  check "valgrind point" "${vg[@]}" "$tests/runtime-point"
  check "valgrind wrong arguments of meshes" "${vg[@]}" "$tests/runtime-arguments"
  check "valgrind meshes" "${vg[@]}" "$tests/runtime-mesh"
  check "valgrind pipelines" "${vg[@]}" "$tests/runtime-pipeline"
  check "valgrind loops on several threads" "${vg[@]}" "$tests/runtime-parallel"
  check "valgrind exchange" "${vg[@]}" "$tests/runtime-exchange" 200
  check "valgrind collectives" "${vg[@]}" "$tests/runtime-collectives" sample 60
  check "valgrind plans of several programs" "${vg[@]}" "$tests/runtime-plans"
  check "valgrind several collectives at once" "${vg[@]}" "$tests/runtime-collectives" several 4
  check "valgrind convolutions without libraries" env TESSERA_BLAS=none TESSERA_DNNL=none \
    "${vg[@]}" "$tests/runtime-conv"
  check "valgrind gemm without libraries" env TESSERA_BLAS=none TESSERA_DNNL=none \
    "${vg[@]}" "$tests/runtime-gemm"
  # What MPI keeps until the end of the process is no leak of ours; the soak looks for those.
  for mpi in openmpi mpich; do
    if ! has_mpi "$mpi"; then
      echo "SKIP valgrind, $mpi: it or its backend is missing"
      continue
    fi
    for way in native messages shared direct; do
      check "valgrind collectives by $way, $mpi" env TESSERA_MPI_COLLECTIVES=$way \
        "mpirun.$mpi" -n 2 "${vg[@]}" --leak-check=no "$tests/runtime-collectives" sample 600
    done
    for what in "repeat-$mpi 60" "repeat-moves-$mpi 4"; do
      # shellcheck disable=SC2086 # a program and its argument
      check "valgrind $what" "mpirun.$mpi" -n 2 "${vg[@]}" --leak-check=no "$tests"/runtime-$what
    done
  done
  exit $failed
fi

# Side by side with the tests on threads, for they mostly wait.
waiting=(faults hosts hanging blame after)
for what in "${waiting[@]}"; do
  "$here/$what.sh" "$build" >"$work/$what" 2>&1 || touch "$work/$what.failed" &
done
check "watches of two hosts, and launchers" "$tests/runtime-watches"
check "errors on threads" "$tests/runtime-errors"
check_ends "default handler on threads" "$tests/runtime-errors" default-handler
check_differences threads "$tests/runtime-errors"
check "failures on threads" "$tests/runtime-failures"
check_fails "a second thread in a context that has failed" \
  "a.mlir:1:1: error: 'reduce': the context of rank 0 is used by another thread" \
  "$tests/runtime-failures" failed-in-use
check "point on threads" "$tests/runtime-point"
check "meshes on threads" "$tests/runtime-mesh"
check "wrong arguments of meshes" "$tests/runtime-arguments"
check_places threads "$tests/runtime-places"
check_says "places, another size where all meet" \
  "fit: rank [01] sends [67] elements, where rank [01] expects [67] elements; rank 0 has one of 12 elements in $(place_in gather_more 0), rank 1 one of 14 elements in $(place_in gather_more 1)\$" \
  "$tests/runtime-places" gather
check "pipelines on threads" "$tests/runtime-pipeline"
check "meshes in C++" "$tests/runtime-mesh-wrapper"
check "exchange on threads" "$tests/runtime-exchange"
check "loops on several threads" "$tests/runtime-parallel"
check "gemm" "$tests/runtime-gemm"
check "gemm without BLAS" env TESSERA_BLAS=none "$tests/runtime-gemm"
check "gemm without oneDNN" env TESSERA_DNNL=none "$tests/runtime-gemm"
check "gemm without libraries" env TESSERA_BLAS=none TESSERA_DNNL=none "$tests/runtime-gemm"
check "convolutions" "$tests/runtime-conv"
check "convolutions without oneDNN" env TESSERA_DNNL=none "$tests/runtime-conv"
check "convolutions without libraries" env TESSERA_BLAS=none TESSERA_DNNL=none \
  "$tests/runtime-conv"
check "memory on threads" "$tests/runtime-memory"
check "memory is given back" "$tests/runtime-trim"
check "collectives on threads" "$tests/runtime-collectives"
check "many ranks on threads" "$tests/runtime-many"
check "sums in group order on threads" "$tests/runtime-order"
check "collectives at random on threads" "$tests/runtime-collectives" random 60
check "plans of several programs on threads" "$tests/runtime-plans"
check "several collectives at once on threads" "$tests/runtime-collectives" several 60
for what in "sample 12" "random 30" "several 30"; do
  # shellcheck disable=SC2086 # a mode and its number
  check "collectives on another device, $what" env TESSERA_DEVICE=tagged \
    "$tests/runtime-collectives" $what
done
check "exchange on another device" env TESSERA_DEVICE=tagged "$tests/runtime-exchange" 600
check "point on another device" env TESSERA_DEVICE=tagged "$tests/runtime-point"
check "gemm on another device" env TESSERA_DEVICE=tagged "$tests/runtime-gemm"
check "convolutions on another device" env TESSERA_DEVICE=tagged "$tests/runtime-conv"
check "memory on another device" env TESSERA_DEVICE=tagged "$tests/runtime-memory"
check "memory is given back on another device" env TESSERA_DEVICE=tagged "$tests/runtime-trim"
check "plans of several programs on another device" env TESSERA_DEVICE=tagged "$tests/runtime-plans"
for what in BLAS DNNL; do
  check_fails "a library by an unknown word, $what" "TESSERA_$what is 'without'; it can be none" \
    env TESSERA_$what=without "$tests/runtime-exchange" 1
done
check_fails "a device that is not there" "cannot load the device 'none'" \
  env TESSERA_DEVICE=none "$tests/runtime-exchange" 1

wait
for what in "${waiting[@]}"; do
  cat "$work/$what"
  [ ! -e "$work/$what.failed" ] || failed=1
done
"$here/trace.sh" "$build" || failed=1

# Tasks that cannot find each other do not each do the whole job; a batch script is alone.
for tasks in SLURM_STEP_NUM_TASKS=4 "SLURM_NTASKS=4 SLURM_PROCID=2"; do
  check_fails "srun without PMI, $tasks" "srun has started 4 tasks" \
    env $tasks "$build/bin/tessera-run" --version
done
check "a Slurm batch script" env SLURM_NTASKS=4 SLURM_PROCID=0 "$build/bin/tessera-run" --version

# Processes that find each other by an address.
for ranks in 2 4; do
  torchrun=("$here/processes.sh" torchrun $ranks)
  check "collectives, TCP, $ranks ranks" "${torchrun[@]}" "$tests/runtime-collectives" sample 60 small
  check "several collectives at once, TCP, $ranks ranks" "${torchrun[@]}" \
    "$tests/runtime-collectives" several 30
  check "point, TCP, $ranks ranks" "${torchrun[@]}" "$tests/runtime-point"
  check "exchange, TCP, $ranks ranks" "${torchrun[@]}" "$tests/runtime-exchange" 60
  check "meshes, TCP, $ranks ranks" "${torchrun[@]}" "$tests/runtime-mesh"
done
check_places TCP "$here/processes.sh" torchrun 2 "$tests/runtime-places"
check_says "late-difference, TCP" "in the group of ranks {0, 1, 2}: .*rank 0 is in 'reduce' at e.mlir:6:1 (product.*rank 0 differs from most" \
  "$here/processes.sh" torchrun 3 "$tests/runtime-errors" late-difference
check_says "difference-before-2048, TCP" "e.mlir:6:1: error: .*rank 0 is in 'reduce' at e.mlir:6:1 (product.*rank 0 differs from most" \
  "$here/processes.sh" torchrun 3 "$tests/runtime-errors" difference-before-2048
for what in assertion no-memory large-messages started waited-for-twice never-waited-for \
  other-numbers other-calls; do
  check "failures, $what, TCP" "$here/processes.sh" torchrun 2 "$tests/runtime-failures" $what
done
for how in tcp nccl; do
  check "tessera-run by Slurm's variables, TESSERA_BACKEND=$how" env TESSERA_BACKEND=$how \
    "$here/processes.sh" slurm 3 "$build/bin/tessera-run" --version
done
mkdir "$work/meeting" "$work/leaving" "$work/stopping"
check "a rendezvous" "$here/processes.sh" numbered 3 "$tests/runtime-bootstrap" "$work/meeting" tcp
check "a rank that has gone" "$here/processes.sh" numbered 3 "$tests/runtime-bootstrap" \
  "$work/leaving" tcp leaves
check "a rank where all meet is stopped" env TESSERA_TIMEOUT=2 timeout -s KILL 60 "$here/processes.sh" \
  numbered 2 "$tests/runtime-bootstrap" "$work/stopping" tcp stops
check_fails "rank 0 does not come" "rank 1 has waited for 1 s: rank 0 does not answer at localhost" \
  env TESSERA_TIMEOUT=1 RANK=1 WORLD_SIZE=2 MASTER_ADDR=localhost MASTER_PORT=9 \
  "$tests/runtime-exchange" 1
check_fails "no address of a store" "TESSERA_STORE is 'here'; expected HOST:PORT of rank 0" \
  env TESSERA_STORE=here RANK=1 WORLD_SIZE=2 MASTER_ADDR=localhost MASTER_PORT=9 \
  "$tests/runtime-exchange" 1

# What MPI keeps until the end of the process is no leak of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# What AddressSanitizer holds back after it was freed would look like growth.
soak=(env "ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=1:thread_local_quarantine_size_kb=64")
# A million collectives between two ranks, fewer between more, or where each takes ten times as long.
many=1000000
[ -z "${TESSERA_SANITIZE:-}" ] || many=20000
if has_mpi openmpi; then
  for ranks in 1 2 4 6 8; do
    mpi=(mpirun.openmpi -n "$ranks")
    check "collectives, Open MPI, $ranks ranks" "${mpi[@]}" "$tests/runtime-collectives" sample 24
    check "point, Open MPI, $ranks ranks" "${mpi[@]}" "$tests/runtime-point"
    check "meshes, Open MPI, $ranks ranks" "${mpi[@]}" "$tests/runtime-mesh"
    check "pipelines, Open MPI, $ranks ranks" "${mpi[@]}" "$tests/runtime-pipeline"
    check "exchange, Open MPI, $ranks ranks" "${mpi[@]}" "$tests/runtime-exchange" 600
  done
  for ranks in 3 5 7 9 10 11 12; do
    check "meshes, Open MPI, $ranks ranks" mpirun.openmpi -n "$ranks" "$tests/runtime-mesh"
  done
  check_places "Open MPI" mpirun.openmpi -n 2 -x TESSERA_CHECK "$tests/runtime-places"
  check_inside "Open MPI" mpirun.openmpi -n 2 "$tests/runtime-places"
  check_says "calls compared on one rank only, Open MPI" "TESSERA_CHECK is on on rank 0 and off on rank 1" \
    mpirun.openmpi -n 1 -x TESSERA_CHECK=1 "$tests/runtime-point" : -n 1 "$tests/runtime-point"
  check "meshes in C++, Open MPI" mpirun.openmpi -n 4 "$tests/runtime-mesh-wrapper"
  check "collectives at random, Open MPI" mpirun.openmpi -n 6 \
    "$tests/runtime-collectives" random 60
  for ranks in 2 4 6; do
    check "several collectives at once, Open MPI, $ranks ranks" mpirun.openmpi -n "$ranks" \
      "$tests/runtime-collectives" several 150
  done
  for what in "sample 60" "several 60"; do
    # shellcheck disable=SC2086 # a mode and its number
    check "collectives on another device, $what, Open MPI" env TESSERA_DEVICE=tagged \
      mpirun.openmpi -n 4 "$tests/runtime-collectives" $what
  done
  for ranks in 3 4 6; do
    check "sums in group order, Open MPI, $ranks ranks" env TESSERA_DETERMINISTIC=1 \
      mpirun.openmpi -n "$ranks" "$tests/runtime-order"
  done
  check "sums in the order of hosts, Open MPI" env TESSERA_DETERMINISTIC=1 TESSERA_MPI_HOST=2 mpirun.openmpi -n 4 \
    "$tests/runtime-order"
  check "same bits, Open MPI" env TESSERA_DETERMINISTIC=1 mpirun.openmpi -n 4 \
    "$tests/runtime-collectives" sample 60
  for way in pack types; do
    check "strided by $way, Open MPI" env TESSERA_MPI_STRIDED=$way mpirun.openmpi -n 4 \
      "$tests/runtime-collectives" sample 60
  done
  for way in "STRIDED:pack or types" "COLLECTIVES:native, messages, shared or direct" "HOST:a number of ranks"; do
    check_fails "an unknown way, ${way%%:*}" "TESSERA_MPI_${way%%:*} is 'fast'; it can be ${way#*:}" \
      env TESSERA_MPI_${way%%:*}=fast mpirun.openmpi -n 1 "$tests/runtime-exchange" 1
  done
  for way in native messages shared direct; do
    check "collectives by $way, Open MPI" env TESSERA_MPI_COLLECTIVES=$way mpirun.openmpi -n 4 \
      "$tests/runtime-collectives" sample 60
  done
  check_reach "Open MPI" mpirun.openmpi -n 2 "$tests/runtime-collectives" sample 60
  for ranks in 4 5 6; do # on what is taken for hosts of two or three, the last of five alone
    check "collectives over hosts, Open MPI, $ranks ranks" env TESSERA_MPI_HOST=$((ranks / 2)) \
      mpirun.openmpi -n "$ranks" "$tests/runtime-collectives" sample 60
    check "collectives over hosts by messages, Open MPI, $ranks ranks" env TESSERA_MPI_HOST=$((ranks / 2)) \
      TESSERA_MPI_COLLECTIVES=messages mpirun.openmpi -n "$ranks" "$tests/runtime-collectives" sample 60
  done
  for ranks in 2 4; do
    check "soak, Open MPI, $ranks ranks" "${soak[@]}" mpirun.openmpi -n "$ranks" \
      "$tests/runtime-soak-openmpi" $((ranks == 2 ? many : 20000)) types
    check "every size as MPI by hand, Open MPI, $ranks ranks" mpirun.openmpi -n "$ranks" \
      "$build/bench/bench-collectives-openmpi" 1 "" 8 300000
  done
  for ranks in 1 2 4 6; do
    for what in repeat repeat-moves; do
      check "$what, Open MPI, $ranks ranks" env OMPI_MCA_mpi_yield_when_idle=1 \
        mpirun.openmpi -n "$ranks" "$tests/runtime-$what-openmpi"
    done
  done
  for way in TESSERA_CHECK=1 TESSERA_MPI_COLLECTIVES=native TESSERA_MPI_COLLECTIVES=messages \
    TESSERA_DETERMINISTIC=1; do
    check "repeat with $way, Open MPI" env "$way" mpirun.openmpi -n 3 \
      "$tests/runtime-repeat-openmpi" 500
  done
  check "repeat in groups that are large enough for trees, Open MPI" \
    env OMPI_MCA_mpi_yield_when_idle=1 TESSERA_MPI_COLLECTIVES=messages \
    mpirun.openmpi -n 18 "$tests/runtime-repeat-openmpi" 20
  for way in TESSERA_CHECK=1 TESSERA_MPI_STRIDED=types; do
    check "repeat-moves with $way, Open MPI" env "$way" mpirun.openmpi -n 3 \
      "$tests/runtime-repeat-moves-openmpi" 24
  done
  check "plans of several programs, Open MPI" mpirun.openmpi -n 3 "$tests/runtime-plans"
  check "memory, Open MPI" mpirun.openmpi -n 2 "$tests/runtime-memory"
  mpi=(mpirun.openmpi -n 4)
  check_ends "default handler, Open MPI" "${mpi[@]}" "$tests/runtime-errors" default-handler
  check_differences "Open MPI" "${mpi[@]}" "$tests/runtime-errors"
  check_on_the_way "Open MPI" "${mpi[@]}" "$tests/runtime-errors"
  check_failures "Open MPI" openmpi 2
  check_failures "Open MPI" openmpi 5
  check "MPI ends before the context, Open MPI" env TESSERA_MPI_HOST=1 \
    mpirun.openmpi -n 2 "$tests/runtime-ended-openmpi"
  check_fails "late-more-halo-beside-slow, Open MPI" "e.mlir:14:1: error: .*pieces do not fit" \
    mpirun.openmpi -n 3 "$tests/runtime-errors" late-more-halo-beside-slow
  check_compared "Open MPI" "${mpi[@]}" "$tests/runtime-errors"
  check_fails "MPI once only, Open MPI" "cannot be started a second time" \
    mpirun.openmpi -n 2 "$tests/runtime-errors" second-start
else
  echo "SKIP Open MPI: it or its backend is missing"
fi

# MPICH spins where ranks outnumber cores: four of them take a small sample.
if has_mpi mpich; then
  check_places MPICH mpirun.mpich -n 2 "$tests/runtime-places"
  check_inside MPICH mpirun.mpich -n 2 "$tests/runtime-places"
  for ranks in 1 2 4; do
    mpi=(mpirun.mpich -n "$ranks")
    few=$((ranks > 2))
    check "collectives, MPICH, $ranks ranks" "${mpi[@]}" "$tests/runtime-collectives" sample \
      $((few ? 240 : 24))
    check "point, MPICH, $ranks ranks" "${mpi[@]}" "$tests/runtime-point"
    check "meshes, MPICH, $ranks ranks" "${mpi[@]}" "$tests/runtime-mesh"
    check "pipelines, MPICH, $ranks ranks" "${mpi[@]}" "$tests/runtime-pipeline"
    check "exchange, MPICH, $ranks ranks" "${mpi[@]}" "$tests/runtime-exchange" $((few ? 60 : 600))
  done
  for what in "3 1" "5 1" "6 2" "7 1" "8 3" "10 2" "12 4"; do # ranks, and dimensions
    check "meshes, MPICH, ${what% *} ranks" mpirun.mpich -n "${what% *}" "$tests/runtime-mesh" "${what#* }"
  done
  check "meshes in C++, MPICH" mpirun.mpich -n 4 "$tests/runtime-mesh-wrapper"
  mpi=(mpirun.mpich -n 2)
  for way in native messages shared direct; do
    check "collectives by $way, MPICH" env TESSERA_MPI_COLLECTIVES=$way "${mpi[@]}" \
      "$tests/runtime-collectives" sample 60
  done
  check_reach MPICH "${mpi[@]}" "$tests/runtime-collectives" sample 60
  check "collectives over hosts, MPICH" env TESSERA_MPI_HOST=2 mpirun.mpich -n 4 \
    "$tests/runtime-collectives" sample 240
  check "collectives over hosts by messages, MPICH" env TESSERA_MPI_HOST=2 TESSERA_MPI_COLLECTIVES=messages \
    mpirun.mpich -n 4 "$tests/runtime-collectives" sample 60
  check "several collectives at once, MPICH" "${mpi[@]}" "$tests/runtime-collectives" several 150
  check "collectives on another device, MPICH" env TESSERA_DEVICE=tagged "${mpi[@]}" \
    "$tests/runtime-collectives" several 60
  check "sums in group order, MPICH" env TESSERA_DETERMINISTIC=1 mpirun.mpich -n 3 \
    "$tests/runtime-order"
  check "sums in the order of hosts, MPICH" env TESSERA_DETERMINISTIC=1 TESSERA_MPI_HOST=2 \
    mpirun.mpich -n 4 "$tests/runtime-order"
  check "strided by types, MPICH" env TESSERA_MPI_STRIDED=types "${mpi[@]}" \
    "$tests/runtime-collectives" sample 60
  check "soak, MPICH" "${soak[@]}" "${mpi[@]}" "$tests/runtime-soak-mpich" $many
  check "soak by types, MPICH" "${soak[@]}" TESSERA_MPI_STRIDED=types "${mpi[@]}" \
    "$tests/runtime-soak-mpich" 20000 types
  check "every size as MPI by hand, MPICH" "${mpi[@]}" \
    "$build/bench/bench-collectives-mpich" 1 "" 8 300000
  for way in TESSERA_CHECK=0 TESSERA_CHECK=1 TESSERA_MPI_COLLECTIVES=native; do
    check "repeat with $way, MPICH" env "$way" "${mpi[@]}" "$tests/runtime-repeat-mpich" 500
  done
  for way in TESSERA_CHECK=0 TESSERA_CHECK=1 TESSERA_MPI_STRIDED=types; do
    check "repeat-moves with $way, MPICH" env "$way" "${mpi[@]}" \
      "$tests/runtime-repeat-moves-mpich" 24
  done
  check "memory, MPICH" "${mpi[@]}" "$tests/runtime-memory" 500
  check_ends "default handler, MPICH" "${mpi[@]}" "$tests/runtime-errors" default-handler
  check_differences "MPICH" "${mpi[@]}" "$tests/runtime-errors"
  check_on_the_way "MPICH" "${mpi[@]}" "$tests/runtime-errors"
  check_failures "MPICH" mpich 2
  check_failures "MPICH" mpich 3
  check "MPI ends before the context, MPICH" env TESSERA_MPI_HOST=1 \
    mpirun.mpich -n 2 "$tests/runtime-ended-mpich"
  check_compared "MPICH" "${mpi[@]}" "$tests/runtime-errors"
  check_fails "MPI once only, MPICH" "cannot be started a second time" \
    "${mpi[@]}" "$tests/runtime-errors" second-start
else
  echo "SKIP MPICH: it or its backend is missing"
fi
exit $failed
