#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Random programs, partitioned and not, on threads; the same seeds give the same programs. A line
# PASS or FAIL per seed, and where it fails how to make the program smaller.
#
# usage: test/fuzz/run.sh BUILD [--count N] [--seed FIRST] [--graphs K] [--ops M] [--seconds S]
#   --seconds S  start no seed later than that (default 150); those that are left out are told
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/common.sh"

build=$(cd "${1:?usage: test/fuzz/run.sh BUILD [--count N] [--seed FIRST]}" && pwd)
shift
count=100 first=1 graphs=3 ops=9 seconds=150
while (($#)); do
  [[ $# -ge 2 ]] || die "option $1 needs a value"
  case $1 in
    --count) count=$2 ;;
    --seed) first=$2 ;;
    --graphs) graphs=$2 ;;
    --ops) ops=$2 ;;
    --seconds) seconds=$2 ;;
    *) die "unknown option $1" ;;
  esac
  shift 2
done

export build check=$build/bin/tessera-check logs=$build/fuzz here graphs ops
export deadline=$(($(date +%s) + seconds))
[[ -x $check ]] || die "no $check"
mkdir -p "$logs"

# try LOG GEN-ARGUMENT... makes one program and checks it.
try() {
  local log=$1 status
  shift
  if ! python3 "$here/gen.py" "$@" >"${log%.log}.mlir" 2>"$log"; then
    echo "gen.py failed" >>"$log"
    return 1
  fi
  timeout --kill-after=5 90 "$check" "${log%.log}.mlir" --seed 1 >"$log" 2>&1 </dev/null
  status=$?
  ((status == 0)) || echo "exit status $status" >>"$log"
  return $status
}

# one SEED
one() {
  local seed=$1 graph=0 guilty="" options
  local log=$logs/$seed.log
  (($(date +%s) < deadline)) || { echo "LEFT $seed"; return; }
  if try "$log" --seed "$seed" --graphs "$graphs" --ops "$ops"; then
    echo "PASS seed $seed"
    return
  fi
  # Which of the graphs is it? Each is the same without the others.
  while ((graph < graphs)); do
    options="--seed $seed --graphs $graphs --ops $ops --only $graph"
    # shellcheck disable=SC2086
    try "$logs/$seed-$graph.log" $options || { guilty="$options"; break; }
    graph=$((graph + 1))
  done
  local shown=$log
  [[ -z $guilty ]] || shown=$logs/$seed-$graph.log
  printf 'FAIL seed %s (test/fuzz/shrink.py %s %s)\n%s\n' "$seed" "$build" \
    "${guilty:---seed $seed --graphs $graphs --ops $ops}" \
    "$(grep -v 'remark:' "$shown" | tail -n 5 | cut -c1-300 | sed 's/^/     /')"
}
export -f try one

out=$logs/summary.log
seq "$first" $((first + count - 1)) | xargs -P "$jobs" -I{} bash -c 'one {}' | tee "$out" |
  grep -v '^LEFT '
left=$(grep -c '^LEFT ' "$out")
((left == 0)) || say "$left of $count seeds were left out for lack of time"
grep -q '^PASS ' "$out" && ! grep -q '^FAIL ' "$out"
