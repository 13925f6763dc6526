#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A rank keeps others waiting in calls of a mesh (blame.c): on threads and under each MPI the message names it and
# its group, and none that has done its part.
# usage: blame.sh BUILD-DIRECTORY. Prints PASS, FAIL or SKIP lines.
source "$(dirname "${BASH_SOURCE[0]}")/jobs.sh"

# Of each scenario the ranks, TESSERA_TIMEOUT, TESSERA_CHECK, and what has to be said. Where the timeout is long, it
# is said long before.
in_group="'tessera_group_all_reduce' at [^ ]*blame.c:[0-9]* (grid @mesh, axes \[[01]\], ranks {[0-3], [0-3]})"
# Any rank's watch may be the first to speak: of rank 3, which is ahead, or of rank 1, for which rank 3 waits.
in_any="'tessera_group_[a-z_]*' at [^ ]*blame.c:[0-9]* (grid @mesh, axes \[[01]\], ranks {[0-3], [0-3]"
scenarios=(
  "threads|first-broadcast|3|2||rank 0 (.* has waited for .*: rank 2 has not come: .*before its first call"
  "threads|later-broadcast|3|2||rank 0 (.* has waited for .*: rank 2 has not come"
  "threads|ended-thread|3|60||rank 2 has ended without a call that others wait for: rank 0 in .* waits for rank 2, "
  "threads|crossed-groups|4|60||rank 0 in [^,]* waits for rank 2, rank 1 in [^,]* waits for rank 0, rank 2"
  "threads|many-dimensions|4|2||rank 2 (grid @mesh, axes \[15\], ranks {2, 3}) has waited for .*: rank 3 has not come"
  "threads|message-of-one|3|2||rank 0 (.* has waited for .*: rank 2 has not come"
  "mpi|message-of-one|3|4||rank 0 (.* has waited for .*: rank 2 has not come"
  "mpi|message-late|3|4||: rank 2 is in 'tessera_group_all_reduce' at .*, and rank 0 waits for a message before that, in"
  "mpi|message-extra|3|4||: rank 0 is in another call, in 'tessera_group_receive' at .* with rank 2"
  "mpi|many-dimensions|4|4||rank 2 (grid @mesh, axes \[15\], ranks {2, 3}) has waited for .*: rank 3 has not come"
  "mpi|left-out|3|4||: rank 0 is in 'tessera_group_barrier' at [^ ]*blame.c:[0-9]*, rank 2 in 'settle'; rank 2 differs from most"
  "mpi|late-sizes|3|4||[:;] rank 0 has one of 4 elements in 'tessera_group_gather' at [^ ]*blame.c:[0-9]*, rank 1 one of 20000 elements in .*; rank 0 differs from most"
  "mpi|first-broadcast|3|4||: rank 2 has not come: .*before its first call"
  "mpi|later-broadcast|3|4||: rank 2 has not come"
  "mpi|row-first|4|4||: rank [13] is in another call, in $in_any"
  "mpi|crossed-groups|4|4||: rank [0-3] is in another call, in $in_group"
  "mpi|crossed-groups|4|60|1|: rank [0-3] is in another call, in $in_group.*in different orders")

# LAUNCHER NUMBER: the scenario, with what it prints in a file.
start() {
  local launcher=$1 kind what ranks timeout check says run=()
  IFS='|' read -r kind what ranks timeout check says <<<"${scenarios[$2]}"
  [ "$launcher" = threads ] || run=("mpirun.$launcher" -n "$ranks")
  mkdir -p "$work/$2" # its own: launchers of Open MPI that start at once stumble over each other's folders
  for _ in 1 2 3; do # where the machine is loaded, ranks may take longer to start
    TMPDIR=$work/$2 TESSERA_TIMEOUT=$timeout TESSERA_CHECK=$check timeout -k 5 30 "${run[@]}" \
      "$build/test/runtime/runtime-blame" "$what" >"$work/log.$launcher.$2" 2>&1
    echo $? >"$work/status.$launcher.$2"
    grep -q "'start of MPI' on rank" "$work/log.$launcher.$2" || break
  done
}

found_mpis "who is to blame"
launchers=(threads "${mpis[@]}")

# LAUNCHER NUMBER
applies() {
  [ "${scenarios[$2]%%|*}" = "$([ "$1" = threads ] && echo threads || echo mpi)" ]
}

for launcher in "${launchers[@]}"; do
  for i in "${!scenarios[@]}"; do
    applies "$launcher" "$i" && start "$launcher" "$i" & # all of a launcher at once, for they mostly wait
  done
  wait
  for i in "${!scenarios[@]}"; do
    applies "$launcher" "$i" || continue
    IFS='|' read -r _ what _ timeout check says <<<"${scenarios[$i]}"
    name="who is to blame, $what, $launcher${check:+, each call compared}"
    status=$(cat "$work/status.$launcher.$i")
    if [ "$status" -ne 0 ] && [ "$status" -ne 124 ] && grep -q -- "$says" "$work/log.$launcher.$i"; then
      echo "PASS $name"
    else
      echo "FAIL $name: it ended with $status, without '$says'"
      head -c 4000 "$work/log.$launcher.$i"
      failed=1
    fi
  done
done
exit $failed
