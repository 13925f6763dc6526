#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What outlives the ranks under MPICH's launcher: it names nobody where nothing is wrong or somebody wanted the end,
# and no other rank than the one that went first; it is gone with the job. faults.sh has ranks that are killed.
# usage: after.sh BUILD-DIRECTORY. Prints PASS, FAIL or SKIP lines.
source "$(dirname "${BASH_SOURCE[0]}")/jobs.sh"
program=$build/test/runtime/runtime-faults
mark=tessera-after-$$

# NAME TEXT
fail() {
  echo "FAIL $1: $2"
  cat "$work/err" "$work/log"
  failed=1
}

# NAME WHO COMMAND...: the job, whose ranks write to a file, names only WHO as gone, a pattern, or nobody.
check() {
  local name="$1, MPICH" who=$2
  shift 2
  : >"$work/err"
  timeout -k 5 60 "$@" >"$work/log" 2>&1
  status=$?
  sleep 0.5 # it outlives the launcher, too, where that is killed
  if grep "error: .*rank [0-9]* is gone" "$work/err" | grep -v -q "rank ${who:-nobody} is gone"; then
    fail "$name" "another rank is named"
  elif [ $status -eq 124 ] || { [ $status -ge 137 ] && [ $status -ne 255 ]; }; then # 255: its proxy's own failure
    fail "$name" "it ended with $status"
  elif pgrep -f "^$work/$mark" >/dev/null && [ "$name" != "ranks leave processes, MPICH" ]; then
    fail "$name" "processes are left"
  else
    echo "PASS $name"
  fi
  pkill -9 -f "^$work/$mark"
}

# RANKS ARGUMENTS...: ranks whose standard error is a file, so that nobody can lose what is written there.
job() {
  local ranks=$1
  shift
  start=(mpirun.mpich -n "$ranks" bash -c "exec $work/$mark $* 2>>$work/err")
}

# As ssh starts it: no launcher is above what it starts.
make_agent() {
  cat >"$work/agent" <<'END'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
shift
end=$(mktemp -u)
mkfifo "$end"
( (setsid bash -c "$*"; echo end >"$end") & )
read -r _ <"$end"
rm -f "$end"
END
  chmod +x "$work/agent"
}

if ! command -v mpirun.mpich >/dev/null || [ ! -e "$build/lib/libtessera_mpi_mpich.so" ]; then
  echo "SKIP what outlives the ranks, MPICH: it or its backend is missing"
  exit 0
fi
cp "$program" "$work/$mark" || exit 1
export TESSERA_TIMEOUT=30
# By SIGHUP the launcher dies at once, and its helpers end the ranks while it is still there.
for signal in INT TERM QUIT HUP HUP HUP; do
  job 3 all_reduce none 2000000000
  check "the launcher gets SIG$signal" "" timeout --preserve-status -s $signal 2 "${start[@]}"
done
job 3 all_reduce none 100
check "the job ends well" "" "${start[@]}"
check "a rank that nobody watches" "" mpirun.mpich -n 2 bash -c "exec $work/$mark all_reduce none 100 2>>$work/err" : \
  -n 1 -env TESSERA_TIMEOUT 0 bash -c "exec $work/$mark all_reduce none 100 2>>$work/err"
job 3 all_reduce fork 3
check "ranks leave processes" "" "${start[@]}"
for _ in 1 2 3; do
  job 3 all_reduce behind 3
  check "a rank is killed behind the end of its context" 2 "${start[@]}"
done
make_agent
for victim in 1 2; do
  : >"$work/err"
  start=(mpirun.mpich -launcher rsh -launcher-exec "$work/agent" -hosts 127.0.0.1,127.0.0.2 -ppn 2 -n 4)
  "${start[@]}" bash -c "exec $work/$mark all_reduce kill 3 $victim 2>>$work/err" >"$work/log" 2>&1
  sleep 0.5
  if grep -q "rank $victim is gone, the first on its host: its process [0-9]* was killed" "$work/err" &&
    [ "$(grep -c "error:" "$work/err")" -eq 1 ]; then
    echo "PASS rank $victim is killed on a host that the launcher is not on, MPICH"
  else
    fail "rank $victim is killed on a host that the launcher is not on, MPICH" "no message that says it"
  fi
done
exit $failed
