#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# One rank is killed, stopped, leaves, or calls something else, in every collective: the job ends in
# time with one message that names the call, its place and a rank, and leaves no process and no shared memory.
# usage: faults.sh BUILD-DIRECTORY [--all]; without --all a sample. Prints PASS, FAIL or SKIP lines.
source "$(dirname "${BASH_SOURCE[0]}")/jobs.sh"
program=$build/test/runtime/runtime-faults
export TESSERA_TIMEOUT
mark=tessera-faults-$$ # a name of the job's processes that no other has

# NAME TEXT: what is wrong, and what was printed.
fail() {
  echo "FAIL $1: $2"
  head -c 4000 "$work/log"
  failed=1
}

# NAME LEFT-BEFORE: neither a process nor shared memory stays. Launchers take a moment.
check_nothing_left() {
  local tries
  for tries in 1 2 3 4 5 6 7 8 9 10; do
    pgrep -f "^$work/$mark" >/dev/null || break
    sleep 1
  done
  if pgrep -f "^$work/$mark" >/dev/null; then
    fail "$1" "processes are left"
    pgrep -f "^$work/$mark" | xargs -r kill -9
  fi
  if ls /dev/shm | grep -q tessera; then
    fail "$1" "shared memory is left"
  fi
}

# FAULT: it befalls a rank before it comes to the others.
is_before_start() {
  [[ " absent missing late " == *" $1 "* ]]
}

# LAUNCHER COLLECTIVE FAULT CALLS-BEFORE [VICTIM]: the program under its own name, so that its processes can be found.
# The fault befalls rank 2, or VICTIM.
check_fault() {
  local victim=${5:-2} start=(timeout -k 5 120) status lines
  local name="$2, $3 of rank $victim after $4 calls, $1"
  case $1 in
  "Open MPI") start+=(mpirun.openmpi -n 3) ;;
  MPICH) start+=(mpirun.mpich -n 3) ;;
  esac
  for TESSERA_TIMEOUT in 2 10 30; do # a machine that is loaded may take longer to start the ranks
    "${start[@]}" "$work/$mark" "$2" "$3" "$4" "$victim" >"$work/log" 2>&1
    status=$?
    if is_before_start "$3" || ! grep -q "'start of MPI' on rank" "$work/log"; then
      break
    fi
  done
  lines=$(grep -cE "error: ('.*' on )?rank [0-9]" "$work/log")
  if [ $status -eq 124 ] || [ $status -eq 0 ]; then
    fail "$name" "it ended with $status"
  elif [ "$lines" -ne 1 ]; then
    fail "$name" "$lines messages instead of one"
  elif ! is_before_start "$3" && [ "$4" -gt 0 ] &&
    ! grep "error: \('.*' on \)\?rank" "$work/log" | grep -q "f.mlir:[12]:1"; then
    fail "$name" "no place in the source"
  elif ! names_fault "$3" "$2"; then
    fail "$name" "it does not say what is wrong"
  else
    echo "PASS $name"
  fi
  check_nothing_left "$name"
}

# FAULT COLLECTIVE: what the message has to say of rank $victim, and what this had where calls differ: of a message
# between two ranks its bytes. Who has left out a call is in the next one.
names_fault() {
  local sent="rank [0-2] sent \(24 \|48 \|more than the [24 8]* \)bytes" rank="rank $victim"
  case $1 in
  size) grep "error:" "$work/log" | grep -q "$rank \(has \)\?one of [0-9]\|$rank \(cuts\|sends\) 9\|$sent" ;;
  type) grep "error:" "$work/log" | grep -q "$rank \(is \)\?in '[^']*' at f.mlir:1:1 (sum of i32\|$rank \(has \)\?one of 6 (4-byte\|$sent" ;;
  root) grep -q "error:.*$rank with root 1 in '$2' at f.mlir:1:1; $rank differs from most" "$work/log" ;;
  order | skip) grep -q "error:.*$rank \(is \)\?in 'all_reduce' at f.mlir:2:1" "$work/log" ;;
  kill) grep -q "$rank is gone" "$work/log" ;;
  stop) grep -q "$rank is stopped" "$work/log" ;;
  exit | leave) grep -q "$rank has left" "$work/log" ;;
  absent) grep -q "'start of MPI' on rank 0 has waited.*: $rank is stopped" "$work/log" ;;
  missing) grep -q "'start of MPI' on rank 0 has waited.*: $rank is gone, or" "$work/log" ;;
  late) grep -q "'start of MPI' on rank 0 has waited.*: $rank has not come: it computes" "$work/log" ;;
  compute) grep -q "$rank has not come" "$work/log" ;;
  esac
}

# LAUNCHER RANKS: who leave without the end of their contexts, but together, are the launcher's business alone; on
# hosts of so many ranks.
check_together() {
  local name="all leave, $1, $2 on a host" mpi=mpich killed=9 status
  [ "$1" = "Open MPI" ] && mpi=openmpi killed=1
  TESSERA_MPI_HOST=$2 TESSERA_TIMEOUT=10 timeout -k 5 120 mpirun.$mpi -n 3 "$work/$mark" all_reduce together 3 >"$work/log" 2>&1
  status=$?
  if grep -q "has left" "$work/log"; then
    fail "$name" "a message"
  elif [[ " 0 $killed " != *" $status "* ]] || grep -q "signal [0-8]\|Sanitizer" "$work/log"; then
    fail "$name" "it ended with $status" # launchers kill those that are still there, and crash nothing
  else
    echo "PASS $name"
  fi
  check_nothing_left "$name"
}

cp "$program" "$work/$mark" || exit 1
launchers=(threads)
for mpi in openmpi mpich; do
  if command -v mpirun.$mpi >/dev/null && [ -e "$build/lib/libtessera_mpi_$mpi.so" ]; then
    [ $mpi = openmpi ] && launchers+=("Open MPI") || launchers+=(MPICH)
  else
    echo "SKIP faults, $mpi: it or its backend is missing"
  fi
done

collectives=(all_gather all_reduce all_to_all broadcast gather recv reduce reduce_scatter scatter shift sum_size
  all_slice update_halo exchange started barrier)
rooted=" broadcast gather reduce scatter "
faults=(kill stop exit skip size type root order compute)

# LAUNCHER COLLECTIVE FAULT: threads cannot be killed or stopped alone; not every collective has a root, and
# numbers that are summed up may differ, as may what lies between halos. A barrier has no elements.
applies() {
  case "$1 $3" in
  threads\ kill | threads\ stop | threads\ exit) return 1 ;;
  *root) [[ $rooted == *" $2 "* ]] ;;
  *size) [[ " sum_size update_halo barrier " != *" $2 "* ]] ;;
  *type) [ "$2" != barrier ] ;;
  esac
}

turn=0
for launcher in "${launchers[@]}"; do
  for collective in "${collectives[@]}"; do
    turn=$((turn + 1))
    for i in "${!faults[@]}"; do
      fault=${faults[$i]}
      applies "$launcher" "$collective" "$fault" || continue
      # A sample: on threads all that take no time, under MPI each collective with one fault.
      if [ "$2" = --all ] || { [ "$launcher" = threads ] && [ "$fault" != compute ]; } ||
        [ $((turn % ${#faults[@]})) -eq "$i" ]; then
        check_fault "$launcher" "$collective" "$fault" 3
      fi
      if [ "$2" = --all ] && [ "$launcher" != threads ] && [[ " kill stop exit " == *" $fault "* ]]; then
        check_fault "$launcher" "$collective" "$fault" 80
      fi
      # Where MPI compares calls no more before they begin; of a sample each collective with another fault.
      if [[ " size type root order " == *" $fault "* ]] && { [ "$2" = --all ] || [ "$launcher" = threads ] ||
        [ $(((turn + 4) % ${#faults[@]})) -eq "$i" ]; }; then
        check_fault "$launcher" "$collective" "$fault" 70
      fi
    done
  done
  if [ "$launcher" = threads ]; then
    for fault in skip order compute; do
      check_fault threads all_reduce $fault 3 0
    done
  else
    check_fault "$launcher" all_reduce stop 80
    # Of rank 0, which is the root and the first to speak.
    check_fault "$launcher" all_reduce stop 3 0
    check_fault "$launcher" broadcast skip 3 0
    check_fault "$launcher" barrier kill 3 0
    check_fault "$launcher" all_reduce kill 3 1
    check_fault "$launcher" gather exit 3 0
    check_fault "$launcher" all_reduce absent 3
    check_fault "$launcher" all_reduce missing 3
    check_fault "$launcher" all_reduce late 3
    check_fault "$launcher" all_reduce exit 0
    # While the others are in no call.
    check_fault "$launcher" all_reduce leave 0
    check_fault "$launcher" all_reduce leave 3
    check_together "$launcher" 3
    check_together "$launcher" 2
    check_together "$launcher" 1
    # Inside MPI's own collective, where no message of ours arrives.
    for fault in kill stop exit; do
      TESSERA_MPI_COLLECTIVES=native check_fault "$launcher" all_reduce $fault 3
    done
  fi
done
exit $failed
