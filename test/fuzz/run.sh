#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Random programs, partitioned and not, on threads, and every fourth seed also against the reference
# interpreter; every fifth as propagate, canonicalize and cse leave it. The same seeds give the same
# programs. A line PASS or FAIL per seed, and where it fails how to make the program smaller.
#
# usage: test/fuzz/run.sh BUILD [--count N] [--seed FIRST] [--graphs K] [--ops M] [--seconds S]
#                         [--minutes M] [--reference-every N]
#   --seconds S  start no seed later than that (default 300); those that are left out are told
#   --minutes M  as many seeds as that allows, whatever --count and --seconds say
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/common.sh"

build=$(cd "${1:?usage: test/fuzz/run.sh BUILD [--count N] [--seed FIRST]}" && pwd)
shift
count=200 first=1 graphs=3 ops=9 seconds=300 every=4
while (($#)); do
  [[ $# -ge 2 ]] || die "option $1 needs a value"
  case $1 in
    --count) count=$2 ;;
    --seed) first=$2 ;;
    --graphs) graphs=$2 ;;
    --ops) ops=$2 ;;
    --seconds) seconds=$2 ;;
    --minutes) seconds=$(($2 * 60)) count=endless ;;
    --reference-every) every=$2 ;;
    *) die "unknown option $1" ;;
  esac
  shift 2
done

export build check=$build/bin/tessera-check logs=$build/fuzz here graphs ops every count
export deadline=$(($(date +%s) + seconds))
[[ -x $check ]] || die "no $check"
mkdir -p "$logs"

# reference SEED LOG: the same program against the interpreter of test/reference. That of one device has
# the same numbers as the partitioned one by now: every fourth time it is compiled for other processors.
reference() {
  local form=partitioned
  (($1 / every % 4)) || [[ $(uname -m) != x86_64 ]] || form="oldest processor"
  timeout --kill-after=5 90 python3 -B "$here/../reference/check.py" "$build" "$logs/reference" \
    --form "$form" "${2%.log}.mlir" >>"$2" 2>&1 </dev/null
}

# program SEED FILE: the program to check: as it is, or rewritten beside it. The plugin of a build with
# sanitizers does not load into mlir-opt as it is.
program() {
  local again=${2%.mlir}.rewritten.mlir
  if (($1 % 5 != 1)) || [[ -n ${TESSERA_SANITIZE:-} ]]; then
    echo "$2"
    return
  fi
  "$here/../rewrite.sh" "$build" "$2" "$again" >&2 && echo "$again"
}

# try SEED LOG GEN-ARGUMENT... makes one program and checks it.
try() {
  local seed=$1 log=$2 status file
  shift 2
  if ! python3 -B "$here/gen.py" "$@" >"${log%.log}.mlir" 2>"$log"; then
    echo "gen.py failed" >>"$log"
    return 1
  fi
  file=$(program "$seed" "${log%.log}.mlir" 2>"$log") || return 1
  # Most of the time would go into the code of programs that run once: few are optimised in full.
  # shellcheck disable=SC2046
  timeout --kill-after=5 90 "$check" "$file" --seed 1 "-O$((seed % 8 ? 0 : 3))" \
    $(sed -n "s,^// RUN-CHECK:,,p" "${log%.log}.mlir") >"$log" 2>&1 </dev/null
  status=$?
  if ((status)); then
    echo "exit status $status of tessera-check $file" >>"$log"
    return $status
  fi
  ((seed % every)) || reference "$seed" "$log"
}

# one SEED; status 255, with which xargs stops, where endless seeds are over.
one() {
  local seed=$1 graph=0 guilty="" options
  local log=$logs/$seed.log
  if (($(date +%s) >= deadline)); then
    [[ $count == endless ]] && return 255
    echo "LEFT $seed"
    return
  fi
  if try "$seed" "$log" --seed "$seed" --graphs "$graphs" --ops "$ops"; then
    echo "PASS seed $seed"
    return
  fi
  # Which of the graphs is it? Each is the same without the others.
  while ((graph < graphs)); do
    options="--seed $seed --graphs $graphs --ops $ops --only $graph"
    # shellcheck disable=SC2086
    try "$seed" "$logs/$seed-$graph.log" $options || { guilty="$options"; break; }
    graph=$((graph + 1))
  done
  local shown=$log
  [[ -z $guilty ]] || shown=$logs/$seed-$graph.log
  printf 'FAIL seed %s (test/fuzz/shrink.py %s %s)\n%s\n' "$seed" "$build" \
    "${guilty:---seed $seed --graphs $graphs --ops $ops}" \
    "$(grep -v 'remark:' "$shown" | tail -n 5 | cut -c1-300 | sed 's/^/     /')"
}
export -f reference program try one

out=$logs/summary.log
last=$((first + 1000000))
[[ $count == endless ]] || last=$((first + count - 1))
seq "$first" "$last" | xargs -P "$jobs" -I{} bash -c 'one {}' 2> >(grep -v 'exited with status 255' >&2) |
  tee "$out" | grep --line-buffered -v '^LEFT '
left=$(grep -c '^LEFT ' "$out")
((left == 0)) || say "$left of $count seeds were left out for lack of time"
[[ $count != endless ]] ||
  say "$(grep -c '^PASS ' "$out") seeds passed, $(grep -c '^FAIL ' "$out") failed"
grep -q '^PASS ' "$out" && ! grep -q '^FAIL ' "$out"
